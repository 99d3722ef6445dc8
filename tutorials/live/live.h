/// @file
/// A live piece of a page: functions from numbers to numbers. The page calls them in a worker,
/// compiled by emscripten; the test calls the same functions, compiled natively, and compares. All
/// pieces are one program, which the site has once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace live {

/// Counts, tokens, weights, or the bytes of a text.
using Numbers = std::vector<double>;
using Functions = std::map<std::string, std::function<Numbers(const Numbers&)>>;

/// The functions that pages may call, as "piece.function".
inline Functions& functions() {
  static Functions all;
  return all;
}

/// Adds the functions of a piece.
struct Piece {
  Piece(const std::string& name, const Functions& own) {
    for (const auto& [function, does] : own) functions()[name + "." + function] = does;
  }
};

/// The numbers from `first` on, as a text.
inline std::string text_of(const Numbers& bytes, std::size_t first = 0) {
  std::string text;
  for (std::size_t i = first; i < bytes.size(); ++i) {
    text.push_back(static_cast<char>(static_cast<unsigned char>(bytes[i])));
  }
  return text;
}

inline Numbers bytes_of(const std::string& text) {
  Numbers bytes;
  for (const unsigned char byte : text) bytes.push_back(byte);
  return bytes;
}

}  // namespace live
