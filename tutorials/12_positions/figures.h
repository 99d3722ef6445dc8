/// @file
/// What chapter 12 draws.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// The mean of some runs, with the smallest and the largest.
std::string spread(const std::vector<double>& runs, int digits);

/// Sinusoids [50, 128]: interleaved, and all sines first.
void draw_waves(const course::Grid& table, const course::Grid& halves);

/// The dot product of two positions' vectors against their distance.
void draw_products(const course::Grid& products);

/// Which positions' vectors are alike: learned ones, and sinusoids.
void draw_alike(const course::Grid& learned, const course::Grid& sinusoids);

/// One channel by the formula and by the misprint, from tables of 50 positions.
void draw_misprint(const course::Grid& right, const course::Grid& wrong);
