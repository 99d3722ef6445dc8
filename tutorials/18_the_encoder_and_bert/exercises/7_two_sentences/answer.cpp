#include "tutorials/18_the_encoder_and_bert/exercises.h"

PairRow row_of_pair(const Tokens& a, const Tokens& b, Index length, std::int32_t cls,
                    std::int32_t sep, std::int32_t padding) {
  check(length >= 3, "row_of_pair: length ", length, " has no place for [CLS] and two [SEP]");
  Tokens first = a, second = b;
  while (std::ssize(first) + std::ssize(second) + 3 > length) {
    Tokens& longer = first.size() > second.size() ? first : second;
    longer.pop_back();
  }
  PairRow row;
  row.tokens.push_back(cls);
  row.tokens.insert(row.tokens.end(), first.begin(), first.end());
  row.tokens.push_back(sep);
  row.segments.resize(row.tokens.size(), 0);
  row.tokens.insert(row.tokens.end(), second.begin(), second.end());
  row.tokens.push_back(sep);
  row.segments.resize(row.tokens.size(), 1);
  row.tokens.resize(std::size_t(length), padding);
  row.segments.resize(std::size_t(length), 0);
  return row;
}
