/// @file
/// The output and drawings of chapter 11.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

using Names = std::vector<std::string>;

inline const Names kGreeting = {"Hello", "I", "love", "you"}, kNight = {"Good", "night", "-", "-"};

/// Runs the function that prints a part of the output.
void run(const char* name, void (*part)());

/// The mean of some runs, with the smallest and the largest.
std::string spread(const std::vector<double>& runs, int digits);

/// A matrix with a name before each row and over each column.
void print_matrix(const std::string& title, const course::Grid& x, const Names& rows,
                  const Names& columns);

/// A row of numbers, and their sum.
void print_row(const std::string& what, const course::Grid& x);

/// The first four numbers of x.
void print_four(const char* what, const course::Grid& x);

/// The words above the lines of print_same().
void print_words(const Names& words);

/// Which positions of y and z [1, T, C] are equal, bit for bit.
void print_same(const char* what, const course::Grid& y, const course::Grid& z);

void print_shape(const char* what, const course::Grid& x);

/// A part: how much each of four outputs depends on each input.
void print_dependence(const char* part, const course::Grid& depends);

/// A part: the largest gradient that a plain sum of an output finds, and that random weights find.
void print_blind(const char* part, double plain, double random);

/// The results of models of some seeds.
struct Judged {
  const char* name;
  std::vector<double> losses = {}, right = {}, with_more = {}, on_the_letter = {}, on_the_next = {};
  std::vector<double> full_stop = {};  // of seed 1: the encoder's weights of the full stop
};

void print_judged(const Judged& masked, const Judged& not_causal, const Judged& padding);

/// The attention weights of a decoder over its source, as a heatmap. Letters are tokens.
void draw_alignment(const course::Grid& weights, const course::Grid& written,
                    const course::Grid& source);
