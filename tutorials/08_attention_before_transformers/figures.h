/// @file
/// What chapter 08 draws.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/plot.h"

namespace course {

/// How long gradients are, by distance: one curve for each name.
void draw_fading(const std::vector<Series>& curves);
/// Attention weights [T, S], a square for each name.
void draw_weights(const std::vector<std::string>& names, const std::vector<Grid>& weights);

}  // namespace course
