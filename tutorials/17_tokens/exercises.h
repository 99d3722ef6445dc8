/// @file
/// Declarations for the variations of chapter 17, on pocket.
#pragma once

#include "tutorials/pocket/tokens.h"

using namespace pocket;

double bits_per_byte_of(const Tensor& logits, const IndexTensor& targets,
                        const std::vector<std::string>& pieces);
std::vector<std::string> fewest(const std::string& word, const std::vector<std::string>& pieces);
