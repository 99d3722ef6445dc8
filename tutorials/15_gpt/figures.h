/// @file
/// The drawings of chapter 15.
#pragma once

#include <vector>

/// Losses to compare with: of a uniform guess, and of tables of counts.
struct Landmarks {
  double ln_v, singles, pairs;
};

/// The losses in training of a model with a causal mask, and of one without.
void draw_leak(const std::vector<double>& masked, const std::vector<double>& open,
               const Landmarks& known);

/// V, the positions, C and L of a GPT.
struct Sizes {
  long long vocab_size, n_positions, n_embd, n_layer;
};

/// Prints how many parameters each kind of part has in two models, from a formula.
void print_sizes(const Sizes& ours, const Sizes& theirs);

/// The time that the process has computed for.
double seconds_of_cpu();
