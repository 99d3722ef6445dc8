/// @file
/// Draws the losses of a run as a picture.
#pragma once

#include <filesystem>

#include "cli/run/log.h"

namespace gradus {

/// Draws a history as an SVG file, with gnuplot.
/// @throws std::runtime_error with the reason of the failure.
void draw_losses(const LossHistory& history, const std::filesystem::path& svg);

}  // namespace gradus
