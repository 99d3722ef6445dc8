/// @file
/// The drawings and measurements of chapter 23.
#pragma once

#include <string>
#include <vector>

/// A name, and a number for each step.
struct Curve {
  std::string name;
  std::vector<double> values;
};

/// How far the weights of two ranks are apart, after each step.
void draw_drift(const std::vector<Curve>& curves);
/// How many times as fast 1, 2, 3 ... machines are as one, beside N times.
void draw_scaling(const std::vector<Curve>& speeds);
