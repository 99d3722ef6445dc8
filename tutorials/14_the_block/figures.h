// The drawings of chapter 14, and the printing of its numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tutorials/common/grid.h"

using Seeds = std::vector<double>;  // a result for each seed

/// The range of each number.
void print_run(const char* part, const Seeds& sizes, const Seeds& own, const Seeds& first);
/// The effect of a stack with this gain on the size of its vectors.
void print_shrinking(double gain, const Seeds& third, const Seeds& own, const Seeds& left,
                     const Seeds& last);
/// Mean and variance of each row and of each column.
void print_moments(const std::vector<std::pair<std::string, course::Grid>>& matrices);
void print_first_rows(const char* name, const course::Grid& a, const course::Grid& b);
/// For each learning rate: the mean loss and its range.
void print_race_header();
void print_race(const char* name, int depth, int warmup, const std::vector<Seeds>& losses);
/// For each seed: the gradients of three layers, and the share that differs.
void print_inside_header();
void print_inside(const char* name, int steps, const std::vector<Seeds>& found);

/// The size of the gradient before each layer, as log10, of the four stages of the repair.
void draw_gradients(const std::vector<std::vector<double>>& stages);
/// Losses in training: plain, post-norm, pre-norm.
void draw_training(const std::vector<std::vector<double>>& losses);
/// ReLU and GELU.
void draw_activations();
