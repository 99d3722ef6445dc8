/// @file
/// A drawing for a page that shows which word attends to which, for each layer and head, and the
/// weights of the word under the pointer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// The attention weights to draw, and their labels.
struct Attentions {
  /// Weights [H, T, S], row after row.
  struct Layer {
    std::size_t heads;
    std::vector<double> values;
  };
  std::vector<std::string> queries;  ///< the words that attend, T
  std::vector<std::string> keys;     ///< the words that are attended to, S
  std::vector<Layer> layers;         ///< all with the same number of heads
  std::vector<std::string> notes;    ///< a note on each attending word, T, or none at all
  std::string caption;               ///< describes the drawing
  std::string unit = "word";         ///< the name for a query or key
  bool ends_with_mean = false;       ///< the last head of each layer is the mean of the others
};

/// Escapes a text for HTML and SVG, also between quotation marks.
std::string html_escaped(const std::string& words);

/// A piece of HTML that needs no other file: a drawing with a line for each weight, which follows
/// mouse, finger and keyboard, and all weights as tables. The tables are left out if they would be
/// most of the page. Without JavaScript the drawing shows the first head of the first layer.
/// Colours are the page's own. `id` names the piece on its page; it holds letters, digits and
/// underscores.
/// @throws std::invalid_argument if the shapes do not fit the words.
std::string attention_explorer(const std::string& id, const Attentions& shown);

}  // namespace gradus
