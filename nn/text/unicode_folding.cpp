#include "nn/text/unicode_folding.h"

#include <algorithm>
#include <iterator>

namespace gradus {
namespace {

struct LowerCase {
  char32_t first, last, step;
  int distance;
};
struct Single {
  char32_t from, to;
};
struct Several {
  char32_t from, first, second, third;  // the third may be none, 0
};

#include "nn/text/unicode_tables.inc"

constexpr char32_t kHangul = 0xAC00, kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7;
constexpr char32_t kHangulCount = 11172, kVowels = 21, kTails = 28;

/// The row of this character in a table ordered by `from`, or none.
template <class Row, std::size_t size>
const Row* find_row(const Row (&table)[size], char32_t character) {
  const Row* row = std::ranges::lower_bound(table, character, {}, &Row::from);
  return row == std::end(table) || row->from != character ? nullptr : row;
}

}  // namespace

char32_t lower_case(char32_t character) {
  if (character == 0x130) return U'i';
  const LowerCase* after = std::ranges::upper_bound(kLowerCase, character, {}, &LowerCase::first);
  if (after == std::begin(kLowerCase)) return character;
  const LowerCase& range = after[-1];
  const bool within = character <= range.last && (character - range.first) % range.step == 0;
  return within ? static_cast<char32_t>(static_cast<int>(character) + range.distance) : character;
}

std::u32string without_accents(char32_t character) {
  if (character >= kHangul && character < kHangul + kHangulCount) {
    const char32_t syllable = character - kHangul, tail = syllable % kTails;
    std::u32string jamo = {kLead + syllable / kTails / kVowels,
                           kVowel + syllable / kTails % kVowels};
    if (tail > 0) jamo += kTail + tail;
    return jamo;
  }
  if (const Single* row = find_row(kWithoutAccents, character)) return {row->to};
  if (const Several* row = find_row(kSeveralWithoutAccents, character)) {
    std::u32string rest = {row->first, row->second};
    if (row->third != 0) rest += row->third;
    return rest;
  }
  return {character};
}

}  // namespace gradus
