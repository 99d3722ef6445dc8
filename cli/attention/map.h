/// @file
/// Draws attention weights as pictures and as text, for `gradus attention`.
#pragma once

#include <span>
#include <string>

#include "cli/attention/weights.h"

namespace gradus {

/// One head as an SVG. Rows attend to columns; both are labelled. The greatest weight is yellow, 0
/// is dark, and hidden cells are blank. Brightness is the square root of weight / greatest weight.
/// The colours are viridis, whose lightness grows evenly, so they can be read in grey and by the
/// colour-blind. The page is light or dark, as the viewer has chosen. Cells have titles, which
/// browsers show under the pointer.
std::string attention_svg(const LayerAttention& layer, int head);

/// All heads as small maps in a grid, with one row of the grid for each layer. The rows and columns
/// of a map are named if there are not too many. `caption` stands below the title.
std::string attention_grid_svg(std::span<const LayerAttention> layers, const std::string& caption);

/// All heads as a page that needs no other file, with one drawing for each part of the model. The
/// drawings follow mouse, finger and keyboard.
/// @throws std::invalid_argument if there are too many tokens to draw a line between each two.
std::string attention_page(std::span<const LayerAttention> layers, const std::string& caption);

/// A table with a line for each head: the entropy in bits and the weight of the first position; for
/// self-attention also the distance attended over, in positions, and the weight of the position
/// before. All are means over the rows that can attend to more than one position.
std::string attention_table(std::span<const LayerAttention> layers);

/// One head in block characters, for a terminal.
std::string attention_text(const LayerAttention& layer, int head);

}  // namespace gradus
