/// @file
/// Declarations for exercise 07.5.
#pragma once

#include "tutorials/pocket/ops.h"

using namespace pocket;

Tensor cross_entropy_op(const Tensor& logits, const IndexTensor& targets);
