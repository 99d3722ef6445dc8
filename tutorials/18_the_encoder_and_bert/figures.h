/// @file
/// What chapter 18 measures and prints, by numbers alone.
#pragma once

#include <string>
#include <vector>

/// A training step frees as much memory as the next one takes. This keeps it in the process.
void keep_memory();

/// The time that the process has computed for.
double seconds_of_cpu();

/// Shares of right answers, in plain reviews and in contrasts; one of each for each seed.
struct Shares {
  std::vector<double> plain, contrast;
};

/// Above rows of print_shares().
void print_head(const std::string& name);

/// A row of a table: the mean over seeds in percent, and the range if there are several.
void print_shares(const std::string& name, const Shares& shares);

/// The mean over seeds and the range.
void print_means(const std::string& name, const std::vector<std::vector<double>>& columns);

/// The k words of the largest numbers, with these numbers.
void print_best(const std::vector<double>& numbers, const std::vector<std::string>& names, int k);
