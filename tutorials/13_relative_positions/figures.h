// The drawings of chapter 13, and the printing of its numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tutorials/common/grid.h"

using Shares = std::vector<std::vector<double>>;  // of right answers: by seed and position

/// A matrix of whole numbers.
void print_numbers(const course::Grid& x);
/// The bias of each head, and the weights that it makes of equal scores: [H, S] each.
void print_heads(const course::Grid& bias, const course::Grid& weights);
/// Mean and range over seeds: at positions below `trained`, and from there on.
void print_race(const std::vector<Shares>& all, std::size_t trained);
/// The mean share of each eight positions from 16 on.
void print_reach(const char* name, const Shares& shares);
/// A pair's part of a score: size cos(turn (n - peak)) for a key n steps back.
struct Wave {
  double size, peak, turn;
};
/// Size and peak of each of the four pairs, over all heads and seeds: mean and range.
void print_waves(const std::vector<Wave>& waves);
/// A row: what the rule adds up, where pair 1 is as high as one step back, and the first position
/// below 64 with less than half of the answers right, at each seed.
void print_falls(int trained, int base, const std::vector<Wave>& waves,
                 const std::vector<int>& falls);
/// Draws the mean score by distance, and pair 1's part of it.
void draw_waves(const std::vector<Wave>& waves);
/// Draws the six kinds, or, of the first task, the vectors of chapter 12 alone.
void draw_race(const std::string& task, const std::vector<Shares>& all);
/// The loss on the tales at two lengths: mean and range over seeds.
void print_tales(const std::vector<double>& at_32, const std::vector<double>& at_128);
/// Prints the numbers and nodes that a kind of positions adds.
void print_cost(int kind, std::int64_t numbers, std::int64_t nodes);
/// The CPU time of the shortest of ten runs, in ms, without the machine's other work.
double shortest_ms(const std::function<void()>& run);
/// Prints its cost in milliseconds at two lengths.
void print_time(int kind, double at_64, double at_256);
/// Which of the five wishes of chapter 12 a kind fulfils.
void print_wishes(const char* name, const std::vector<bool>& wishes);

/// The share of rows whose answer is the target's, at each position; targets below 0 do not count.
template <class Indices>
std::vector<double> share_right(const Indices& answers, const Indices& targets,
                                std::int64_t length) {
  std::vector<double> right(std::size_t(length), 0.0), asked = right;
  for (std::int64_t i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] < 0) continue;
    right[std::size_t(i % length)] += answers.data()[i] == targets.data()[i];
    asked[std::size_t(i % length)] += 1;
  }
  for (std::size_t t = 0; t < right.size(); ++t) right[t] = asked[t] > 0 ? right[t] / asked[t] : -1;
  return right;
}
