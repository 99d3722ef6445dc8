/// @file
/// Attention as pictures and as text: for `gradus attention`.
#pragma once

#include <span>
#include <string>

#include "cli/attention/weights.h"

namespace gradus {

/// One head as an SVG. Rows look at columns; both are labelled. The greatest weight is yellow, 0 is
/// dark, and hidden cells are blank. Brightness is the square root of weight / greatest weight. The
/// colours are viridis, whose lightness grows evenly, so they can be read in grey and by the
/// colour-blind. The page is light or dark like the viewer's. Cells have titles, which browsers
/// show under the pointer.
std::string attention_svg(const LayerAttention& layer, int head);

/// All heads as small maps, a row of the grid for each layer, with names of rows and columns if
/// there are not too many; `caption` stands below the title.
std::string attention_grid_svg(std::span<const LayerAttention> layers, const std::string& caption);

/// All heads as a page that needs nothing beside itself: a drawing that follows mouse, finger and
/// keyboard, one for each part of the model.
/// @throws std::invalid_argument if there are too many tokens for a line between each two.
std::string attention_page(std::span<const LayerAttention> layers, const std::string& caption);

/// A table with a line for each head. Of self-attention: the mean distance attended over, in
/// positions; of all: the entropy in bits, the share of the first place, and the share of the one
/// before. Means are over the rows that have a choice.
std::string attention_table(std::span<const LayerAttention> layers);

/// One head in block characters, for a terminal.
std::string attention_text(const LayerAttention& layer, int head);

}  // namespace gradus
