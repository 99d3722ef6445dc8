/// @file
/// gnuplot for all drawings: the command's loss curve, the chapters their figures.
#pragma once

#include <string>

namespace gradus {

/// What gnuplot writes to its standard output by this script: after `set terminal svg`, a picture.
/// No shell is between, and nothing is quoted.
/// @throws std::runtime_error if gnuplot is not installed, or with what it says is wrong.
std::string run_gnuplot(const std::string& script);

}  // namespace gradus
