/// @file
/// Declarations for the variations of chapter 26, on pocket.
#pragma once

#include "tutorials/pocket/int8.h"
#include "tutorials/pocket/lora.h"

using namespace pocket;

Tensor in_one_batch(const Tensor& x, const Tensor& weight, const std::vector<LowRank>& pairs,
                    const std::vector<Index>& which);
Tensor restored_in_groups(const Tensor& x, Index group);
