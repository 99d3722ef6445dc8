/// @file
/// The output and drawings of chapter 07.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

/// Runs the function that prints a part of the output.
void run(const char* part, const std::function<void()>& print);
/// Prints a model's held-out losses: mean and range over seeds, before training and after.
void print_losses(const char* model, const std::vector<double>& untrained,
                  const std::vector<double>& trained);
/// Prints a name and the numbers of a row.
void print_row(const char* name, const course::Grid& x);

namespace course {

/// The counted table p [V, V], and the surprise of it at a short text.
void draw(const Grid& p, const std::string& vocabulary);

}  // namespace course
