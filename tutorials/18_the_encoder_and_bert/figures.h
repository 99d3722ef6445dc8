/// @file
/// The measurements and output of chapter 18, in numbers only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// The time that the process has computed for.
double seconds_of_cpu();

/// Shares of right answers, for each kind of review; one of each for each seed.
using Shares = std::array<std::vector<double>, 3>;

/// Above rows of print_shares().
void print_head(const std::string& name);

/// A row of a table: the mean over seeds in percent, and the range if there are several.
void print_shares(const std::string& name, const Shares& shares);

/// One number for each seed, in percent.
void print_seeds(const std::string& name, const std::vector<double>& values);

/// Rows of a table, from `first` to before `end`.
using Table = std::vector<std::pair<std::string, Shares>>;
void print_table(const std::string& name, const Table& table, std::size_t first, std::size_t end);

/// The attention weights of [CLS] in reviews of the same length, [H, T] each, of two heads.
void draw_cls(const std::vector<course::Grid>& weights, const std::vector<std::string>& reviews);

/// Losses at some kinds of words: for each kind, one for each seed.
using Losses = std::vector<std::vector<double>>;

/// A row for each kind of words: their number, then the mean over seeds, the range, and the best
/// possible loss, of two models.
void print_losses(const std::vector<std::string>& names, const std::vector<int>& asked,
                  const Losses& left, const Losses& best_left, const Losses& both,
                  const Losses& best_both);

/// The k words of the largest numbers, with these numbers.
void print_best(const std::vector<double>& numbers, const std::vector<std::string>& names, int k);
