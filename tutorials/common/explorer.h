/// @file
/// A page that shows which word looks at which: tokens, layers, heads, and the weights of the word
/// that is pointed at.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

namespace course {

/// What is to be shown.
struct Attentions {
  std::vector<std::string> queries;  ///< the words that look, T
  std::vector<std::string> keys;     ///< the words that are looked at, S
  std::vector<Grid> layers;          ///< the weights of each layer, [H, T, S]
  std::vector<std::string> notes;    ///< what is said of each looking word, T, or none at all
  std::string caption;               ///< what there is to see
};

/// A piece of HTML that needs nothing beside itself: a drawing with a line for each weight, which
/// follows mouse, finger and keyboard, and all weights as tables. Without JavaScript it shows the
/// first head of the first layer, and the tables. Colours are the page's own. `id` names the piece
/// on its page, in letters, digits and underscores.
/// @throws std::invalid_argument if the shapes do not fit the words.
std::string attention_explorer(const std::string& id, const Attentions& shown);

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
