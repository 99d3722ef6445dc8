/// @file
/// What chapter 16 draws.
#pragma once

#include <string>
#include <vector>

/// The probabilities of five tokens, a group of bars for each token, a bar for each way to choose.
void draw_shares(const std::vector<std::string>& ways,
                 const std::vector<std::vector<double>>& shares);

/// Milliseconds for the next token by the number of tokens before it.
void draw_times(const std::vector<double>& lengths, const std::vector<double>& once,
                const std::vector<double>& again);
