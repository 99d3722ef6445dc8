/// @file
/// A page that shows which word looks at which: tokens, layers, heads, and the weights of the word
/// that is pointed at.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// What is to be shown.
struct Attentions {
  /// Weights [H, T, S], row after row.
  struct Layer {
    std::size_t heads;
    std::vector<double> values;
  };
  std::vector<std::string> queries;  ///< the words that look, T
  std::vector<std::string> keys;     ///< the words that are looked at, S
  std::vector<Layer> layers;         ///< all of as many heads
  std::vector<std::string> notes;    ///< what is said of each looking word, T, or none at all
  std::string caption;               ///< what there is to see
  std::string unit = "word";         ///< what queries and keys are
  bool ends_with_mean = false;       ///< the last head of each layer is the mean of the others
};

/// A text as HTML and SVG must have it, also between quotation marks.
std::string html_escaped(const std::string& words);

/// A piece of HTML that needs nothing beside itself: a drawing with a line for each weight, which
/// follows mouse, finger and keyboard, and all weights as tables. Without JavaScript it shows the
/// first head of the first layer, and the tables, which are left out where they would be most of
/// the page. Colours are the page's own. `id` names the piece on its page, in letters, digits and
/// underscores.
/// @throws std::invalid_argument if the shapes do not fit the words.
std::string attention_explorer(const std::string& id, const Attentions& shown);

}  // namespace gradus
