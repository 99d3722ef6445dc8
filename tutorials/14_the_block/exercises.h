/// @file
/// Declarations for the variation of chapter 14, on the reader's engine.
#pragma once

#include "tutorials/pocket/block.h"

using namespace pocket;

Tensor my_layer_norm(const Tensor& x);
