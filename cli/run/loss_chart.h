/// @file
/// Draws the losses of a run as a chart in the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/run/log.h"

namespace gradus {

/// Draws a history in lines of at most `width` characters: a dot for each batch, and a line with an
/// o for each validation loss. Below these `height` lines, one line shows the steps and, if there
/// is room, a key for dots and line. Returns no lines if there is nothing to draw.
std::vector<std::string> loss_chart(const LossHistory& history, std::size_t width,
                                    std::size_t height);

}  // namespace gradus
