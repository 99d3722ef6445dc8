/// @file
/// The drawings and measurements of chapter 17.
#pragma once

#include <vector>

/// A counted table's loss per token, and its bits per byte, for each size of the vocabulary.
void draw_sizes(const std::vector<double>& vocabularies, const std::vector<double>& losses,
                const std::vector<double>& bits);

/// The time that the process has computed for.
double seconds_of_cpu();
