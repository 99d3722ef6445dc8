/// @file
/// What chapter 20 draws, and how it prints tables over seeds.
#pragma once

#include <string>
#include <vector>

/// The line above: the names of the columns.
void print_heads(const std::string& rows, const std::vector<std::string>& columns);
/// A line: a name, and of each column the mean over seeds, and the range.
void print_row(const std::string& name, const std::vector<std::vector<double>>& columns);

/// Losses on held-out translations while a model is fine-tuned on tweets.
void draw_forgetting(const std::vector<double>& steps, const std::vector<double>& alone,
                     const std::vector<double>& mixed);

/// A training step frees as much memory as the next one takes. This keeps it in the process.
void keep_memory();

/// The time that the process has computed for.
double seconds_of_cpu();
