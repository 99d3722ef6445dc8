/// @file
/// The drawings of chapter 20, and the printing of tables over seeds.
#pragma once

#include <string>
#include <vector>

using Columns = std::vector<std::vector<double>>;  // of a row of a table: each column's seeds

/// The line above: the names of the columns.
void print_heads(const std::string& rows, const std::vector<std::string>& columns);
/// A line: a name, and of each column the mean over seeds, and the range.
void print_row(const std::string& name, const Columns& columns);

/// A part with a table: for each name a row of columns over seeds.
void print_table(const char* part, const std::string& head, const std::vector<std::string>& columns,
                 const std::vector<std::string>& names, const std::vector<Columns>& rows);

/// A part with a column for each seed, and a line for each 100 steps from 0 on.
void print_seeds(const char* part, const std::vector<std::vector<double>>& seeds);

/// A part with the step from which on 0.9 of each kind of word is right, a column for each seed:
/// seeds[seed][i][word] is a share after 100 i steps.
void print_words(const char* part, const std::vector<std::string>& words,
                 const std::vector<std::vector<std::vector<double>>>& seeds);

/// A part with the shares of one seed: a column for each kind of word.
void print_shares(const char* part, const std::vector<std::string>& words,
                  const std::vector<std::vector<double>>& shares);

/// Losses on held-out translations while a model is fine-tuned on tweets.
void draw_forgetting(const std::vector<double>& steps, const std::vector<double>& alone,
                     const std::vector<double>& mixed);

/// The time that the process has computed for.
double seconds_of_cpu();
