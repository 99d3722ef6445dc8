/// @file
/// Declarations for the variations of chapter 25, on pocket.
#pragma once

#include "tutorials/pocket/llama.h"

using namespace pocket;

std::vector<double> slow_pairs(const std::vector<double>& frequencies, double s, Index trained,
                               double low, double high);

Tensor pooled(const Tensor& weight, Index heads, Index kv_heads);
