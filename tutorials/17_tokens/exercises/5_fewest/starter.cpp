// Exercise 17.5, 45 minutes: the fewest pieces.
//
// Byte pairs cut a word by merges. Here is another rule: cut the word into as few of the given
// pieces as possible. Return the pieces in their order, or nothing if the word cannot be cut into
// them. If there are several shortest cuts, any of them will do. Words may be thousands of bytes
// long, so trying all cuts takes too long.
#include "tutorials/17_tokens/exercises.h"

std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces) {
  return {};
}
