/// @file
/// What chapter 09 prints and draws: tables with the words above and beside them, and a heatmap.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/plot.h"

/// Prints matrices side by side, each under its name, with the words of the sentence before the
/// rows.
void print_rows(const std::string& sentence, const std::vector<std::string>& names,
                const std::vector<course::Grid>& all);
/// Prints the first matrix of a batch of weights, with the words before the rows and above the
/// columns.
void print_weights(const std::string& sentence, const course::Grid& weights, int digits = 2);
/// Prints which words a model names, of tokens 0 to 15, and the least of their probabilities.
void print_answers(const course::Grid& itself, const course::Grid& partner);
/// In how many of four rows the two largest weights are the word's own and its partner's, and both
/// at least 0.1.
int rows_as_expected(const course::Grid& weights);
/// Prints a row of the comparison of scores, divided and not divided.
void print_scale(std::int64_t width, bool divided, double largest,
                 const std::vector<double>& losses);
/// The same as a heatmap.
void draw_weights(const std::string& name, const std::string& title, const std::string& sentence,
                  const course::Grid& weights);
/// The words of a sentence.
std::vector<std::string> words_of(const std::string& sentence);
