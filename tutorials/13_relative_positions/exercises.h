/// @file
/// Declarations for the variations of chapter 13, on the reader's engine.
#pragma once

#include "tutorials/pocket/position.h"

using namespace pocket;

Tensor my_rotary(const Tensor& x, const Tensor& table);

Tensor further_table(Index positions);
