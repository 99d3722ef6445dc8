/// @file
/// Attention as pictures and as text: for `gradus attention`.
#pragma once

#include <span>
#include <string>

#include "cli/attention/weights.h"

namespace gradus {

/// One head as an SVG: rows look at columns, all labelled, dark for 0 and yellow for the greatest
/// weight, by the root of its share, and blank for what is hidden from a row. The colours are
/// viridis, whose lightness grows evenly, so that it can be read in grey and by the colour-blind;
/// the page is light or dark as the viewer's is. Cells have titles, which browsers show to who
/// points at them.
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
