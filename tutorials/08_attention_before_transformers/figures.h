/// @file
/// The output, measurements and drawings of chapter 08.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

/// Runs the function that prints a part of the output.
void run(const char* part, const std::function<void()>& print);
/// A model's name, and its shares of right symbols at 2, 4, 8 and 16 symbols.
using Columns = std::vector<std::pair<std::string, std::vector<double>>>;
/// Prints the opening's table, with a column for each model.
void print_opening(const Columns& columns);
/// Prints a row of the longer runs: a model's parameters, and its mean and range over seeds, after
/// 200, 800 and 3200 steps.
void print_longer(const char* model, std::int64_t parameters, double rate,
                  const std::vector<std::vector<double>>& shares);
/// Networks by name, each with norms of gradients by seed and number of steps back.
using Curves = std::vector<std::pair<std::string, std::vector<std::vector<double>>>>;
/// Prints the medians over seeds at these numbers of steps back, the range at the last of them, and
/// the mean of a gate, if there is one (0: none).
void print_norms(const Curves& networks, const std::vector<std::size_t>& back,
                 const std::vector<double>& gates = {});
/// Draws the medians.
void draw_fading(const Curves& networks);
/// Prints the share of the RNN's gradient that a step back leaves, the share that W alone would
/// leave, and the slope of tanh: medians over seeds.
void print_causes(const std::vector<std::vector<double>>& causes);
/// Prints a name and the numbers of a row.
void print_row(const char* name, const course::Grid& x);
/// CPU time in microseconds, the best of five.
double least_time(const std::function<void()>& forward);
/// Prints for the GRU and attention at a length the chain, the multiplications for each token and
/// the time; before the first, a title.
void print_time(std::int64_t length, const std::vector<std::int64_t>& chains,
                const std::vector<std::int64_t>& multiplications, const std::vector<double>& times);
/// Prints the title, and a row, of the race: means over seeds at length 8 and at 6.
void print_race_title();
void print_race(int score, const std::vector<double>& at_8, const std::vector<double>& at_6);
/// Draws attention weights [T, S], a square for each score.
void draw_weights(const std::vector<std::pair<std::string, course::Grid>>& weights);
