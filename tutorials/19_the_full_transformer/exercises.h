/// @file
/// Declarations for the variations of chapter 19, on pocket.
#pragma once

#include "tutorials/pocket/transformer.h"

using namespace pocket;

std::vector<double> my_log_probabilities(const Transformer& model, const IndexTensor& src,
                                         const IndexTensor& targets, const WriteLimits& limits,
                                         std::int32_t padding);
Tokens my_greedy(const Transformer& model, const IndexTensor& src, const WriteLimits& limits);
