/// @file
/// Runs gnuplot, which draws the command's loss curve and the chapters' figures.
#pragma once

#include <string>

namespace gradus {

/// Runs gnuplot with this script and returns its standard output: after `set terminal svg`, a
/// picture. Starts gnuplot without a shell, so that nothing needs quotes.
/// @throws std::runtime_error if gnuplot is not installed, or with gnuplot's own message if it
/// fails.
std::string run_gnuplot(const std::string& script);

}  // namespace gradus
