/// @file
/// The system measurements and the drawings of chapter 22.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// How many pages of memory the system has handed out so far, each filled with zeros.
long pages_taken();

/// The time in ms, by the clock on the wall.
double ms_now();

/// The shortest time that each takes, in ms. They take turns, so that a busy moment hits all of
/// them. Short ones run many times for each look at the clock, which takes as long as some of them.
std::vector<double> shortest_ms(const std::vector<std::function<void()>>& runs, int rounds = 15);

/// The shortest time of some rounds, taken five times over: the middle one of five, and how far
/// the middle three lie apart.
struct Time {
  explicit Time(const std::vector<double>& five);
  std::vector<double> all;
  double ms, spread;
};
/// How much longer one takes than the other: the difference of the two times as they are printed,
/// so that rows of a table add up, and the spread of the five differences.
Time operator-(const Time& longer, const Time& shorter);
std::vector<Time> times_of(const std::vector<std::function<void()>>& runs, int rounds);

/// An op: operations for each byte, and GFLOP/s on both engines.
struct Reached {
  std::string name;
  double intensity, pocket, gradus;
};
/// Draws the speeds of ops; the limits of the processor, of its second cache, its third and memory,
/// in GFLOP/s and GB/s; and the speed of the first op in pocket with one change.
void draw_roofline(const std::vector<Reached>& ops, double limit,
                   const std::vector<double>& bandwidths, double changed);

/// Attention over T positions: pocket's, by blocks, gradus's. Operations in products, in millions.
struct Attention {
  int length;
  std::vector<double> ms, mb, operations;
  long pages;          // that malloc took anew
  double kept_ms = 0;  // with a malloc that keeps its memory, and its pages
  long kept_pages = 0;
};
/// The ms of an op in a step of pocket; with fused ops, with faster loops, with both; of gradus.
struct OfOp {
  enum Way { kPocket, kFused, kLoops, kChanged, kGradus };
  std::string op;
  std::vector<double> ms;  // by Way
};
void draw_spent(const std::vector<OfOp>& ops);
/// Draws the gain of each of the two changes after the other, and the gain of both.
void draw_saved(const std::vector<OfOp>& ops);
void draw_quadratic(const std::vector<Attention>& rows);
