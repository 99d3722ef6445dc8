/// @file
/// The losses of a run as a chart in the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/run/log.h"

namespace gradus {

/// Draws a history for a terminal, in lines of at most `width` characters: each batch as a dot, the
/// validation losses as a line through an o for each. Below these `height` lines is one with the
/// steps and, where there is room, what dots and line are. No lines where there is nothing to draw.
std::vector<std::string> loss_chart(const LossHistory& history, std::size_t width,
                                    std::size_t height);

}  // namespace gradus
