// What chapter 14 draws, and how it prints its numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tutorials/common/grid.h"

using Seeds = std::vector<double>;  // what each seed gave

/// The range of each number.
void print_run(const char* part, const Seeds& sizes, const Seeds& own, const Seeds& first);
/// Mean and variance of each row and of each column.
void print_moments(const std::vector<std::pair<std::string, course::Grid>>& matrices);
void print_first_rows(const char* name, const course::Grid& a, const course::Grid& b);
/// Mean and range of each number.
void print_training(int wiring, const Seeds& first, const Seeds& last, const Seeds& losses);

/// ReLU and GELU.
void draw_bends();
