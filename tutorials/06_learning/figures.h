// The figures of chapter 06.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// Points x [n, 2] on arms y [n, 1], each -1 or 1, and a net's output for them.
struct Judged {
  course::Grid x, y, outputs;
};
/// A square of places [k k, 2], row after row, and a net's output there.
struct Map {
  course::Grid places, outputs;
};

/// Points x and y that a net has learned, the points of `fresh` that it puts on the wrong arm, and
/// the line where its output is 0.
void draw_spiral(const course::Grid& x, const course::Grid& y, const Judged& fresh, const Map& map);

/// Final losses of one rule by rate: mean, least and largest.
struct ByRate {
  std::string name;
  std::vector<double> rate, mean, least, most;
};
void draw_rates(const std::vector<ByRate>& rules);

/// Where two numbers were, step by step.
using Path = std::vector<std::array<double, 2>>;
/// The paths of SGD, momentum and AdamW down w1^2 + 10 w2^2.
void draw_paths(const std::vector<Path>& paths);

/// Losses by step, with names, and the learning rate of the last.
void draw_losses(const std::vector<std::string>& names,
                 const std::vector<std::vector<float>>& losses, const std::vector<float>& rates);

/// Losses of one seed by step: in training by each step, on other points after every 20, and there
/// with weight decay.
void draw_stopping(const std::vector<float>& training, const std::vector<float>& validation,
                   const std::vector<float>& with_decay);
