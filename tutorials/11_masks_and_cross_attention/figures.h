/// @file
/// What chapter 11 prints and draws again and again.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

using Names = std::vector<std::string>;

/// The mean of some runs, with the smallest and the largest.
std::string spread(const std::vector<double>& runs, int digits);

/// A matrix with a name before each row and over each column.
void print_matrix(const std::string& title, const course::Grid& x, const Names& rows,
                  const Names& columns);

/// A row of numbers, and their sum.
void print_row(const std::string& what, const course::Grid& x);

/// The attention weights of a decoder over its source, as a heatmap.
void draw_alignment(const course::Grid& weights, const Names& written, const Names& source);
