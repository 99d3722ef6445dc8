/// @file
/// Declarations for the exercises of chapter 12.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "tutorials/pocket/position.h"

using namespace pocket;

/// A row of three tokens and a row of six.
struct TwoRows {
  Tokens first, second;
};

TwoRows which_came_first();
double my_base(Index positions, Index channels);
Tensor my_shift(Index distance, Index channels);
void look_back(MultiHeadAttention& attention, Index channels);
