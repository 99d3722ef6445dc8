#include "nn/data/words.h"

namespace gradus {
namespace {

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) > 0x7f;
}

bool joins(char c) { return c == '\'' || c == '-'; }

void lower(std::string& word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<unsigned char>(word[i]);
    const bool after_c3 = i > 0 && static_cast<unsigned char>(word[i - 1]) == 0xc3;
    const bool capital = after_c3 ? byte >= 0x80 && byte <= 0x9e && byte != 0x97  // not U+00D7
                                  : word[i] >= 'A' && word[i] <= 'Z';
    if (capital) word[i] = static_cast<char>(byte + 0x20);
  }
}

}  // namespace

std::vector<std::string> split_words(std::string_view text, Case letters) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at++;
    if (in_word(text[begin])) {
      while (at < text.size() && (in_word(text[at]) || (joins(text[at]) && at + 1 < text.size() &&
                                                        in_word(text[at + 1])))) {
        ++at;
      }
    } else if (text[begin] <= ' ' || text[begin] == 0x7f) {
      continue;
    }
    words.emplace_back(text.substr(begin, at - begin));
    if (letters == Case::kLower) lower(words.back());
  }
  return words;
}

}  // namespace gradus
