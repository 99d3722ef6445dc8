/// @file
/// The drawings of chapter 12.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// The mean of some runs, with the smallest and the largest.
std::string spread(const std::vector<double>& runs, int digits);

/// A line: measurements at several seeds.
void print(const char* what, const std::vector<double>& runs);

void print_learned(const char* name, int steps, const std::vector<double>& right,
                   const std::vector<double>& next, const std::vector<double>& early,
                   const std::vector<double>& late, const std::vector<double>& across,
                   const std::vector<double>& lead);

/// The first tries, at 16 positions of four channels each.
void print_tries(const course::Grid& integer, const course::Grid& unit, const course::Grid& binary);

/// How far channels 2k and 2k + 1 of a table move from row to row: the largest less the smallest.
void print_movement(const course::Grid& table, std::size_t k);

/// The words and positions found in the sums of word i / 50 and position i % 50; how long words
/// and positions are, and how far apart two words and two neighbours: means over all.
void print_found(const course::Grid& word, const course::Grid& position, const course::Grid& words,
                 const course::Grid& p);

/// Sinusoids [50, 128]: interleaved, and all sines first.
void draw_waves(const course::Grid& table, const course::Grid& halves);

/// The dot product of two positions' vectors against their distance.
void draw_products(const course::Grid& products);

/// Which positions' vectors are alike: learned ones, and sinusoids.
void draw_alike(const course::Grid& learned, const course::Grid& sinusoids);

/// One channel by the formula and by the misprint, from tables of 50 positions.
void draw_misprint(const course::Grid& right, const course::Grid& wrong);
