/// @file
/// Declarations for the variations of chapter 18, on pocket.
#pragma once

#include <string>

#include "tutorials/pocket/bert.h"

using namespace pocket;

Tensor mean_of_vectors(const Tensor& features, const IndexTensor& tokens, std::int32_t padding);

int load_word_vectors(std::istream& file, const std::vector<std::string>& names, Tensor& table);

/// As mask_words().
using Masker = std::function<MaskedWords(const IndexTensor& tokens, const Tokens& words,
                                         std::int32_t mask, const RandomKey& key)>;

bool follows_the_rule(const Masker& masker);

/// One row: its tokens and their segments, both padded to the same length.
struct PairRow {
  Tokens tokens, segments;
};

PairRow row_of_pair(const Tokens& a, const Tokens& b, Index length, std::int32_t cls,
                    std::int32_t sep, std::int32_t padding);
