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
/// Prints what each word of a sentence names as itself and as its partner, with the probabilities:
/// both [1, T, 16].
void print_answers(const std::string& sentence, const course::Grid& itself,
                   const course::Grid& partner);
/// The same as a heatmap.
void draw_weights(const std::string& name, const std::string& title, const std::string& sentence,
                  const course::Grid& weights);
/// The words of a sentence.
std::vector<std::string> words_of(const std::string& sentence);
