/// @file
/// A digest of texts: one number, to check that other compilers and machines make the same texts.
#pragma once

#include <cstdint>
#include <string>

namespace gradus {

/// FNV-1a (Fowler, Noll and Vo) of the texts added, each ended by a newline.
class Digest {
 public:
  void add(const std::string& text) {
    for (const char c : text + '\n')
      hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace gradus
