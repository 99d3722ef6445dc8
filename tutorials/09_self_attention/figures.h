/// @file
/// The output and drawings of chapter 09: tables with the words above and beside them, and a
/// heatmap.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/plot.h"

/// Runs the function that prints a part of the output.
void run(const char* part, void (*print)());
/// A part: queries, keys and values side by side, and the weights.
void print_maps(const char* part, const std::string& sentence, const course::Grid& q,
                const course::Grid& k, const course::Grid& v, const course::Grid& weights);
/// A part: the context vectors of a sentence, and the context vectors of its words before they were
/// reordered.
void print_orders(const char* part, const std::string& sentence, const course::Grid& now,
                  const course::Grid& before);
/// Prints the first matrix of a batch of weights, with the words before the rows and above the
/// columns.
void print_weights(const std::string& sentence, const course::Grid& weights, int digits = 2);
/// Parts of seed 7 or 9: the weights of "Hello I love you", which words a model names, and the
/// least of their probabilities. Draws the weights of seed 7.
void print_learned(int seed, const course::Grid& weights, const course::Grid& itself,
                   const course::Grid& partner);
/// Prints what "I" attends to before one of the verbs, 8 to 11, and the verb that it names.
void print_verb(int verb, const course::Grid& weights, const course::Grid& partner);
/// In how many of four rows the two largest weights are the word's own and its partner's, and both
/// at least 0.1.
int rows_as_expected(const course::Grid& weights);
/// Prints the losses of two models: one has only the role of each word, the other the word, too.
void print_losses_of_guesses();
/// Prints the title, and a row, of the comparison of scores, divided and not divided.
void print_scale_title();
void print_scale(const char* what, std::int64_t width, double before, double after,
                 const std::vector<double>& losses);
/// The words of a sentence.
std::vector<std::string> words_of(const std::string& sentence);
