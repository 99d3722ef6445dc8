/// @file
/// Declarations for the exercises of chapter 04, on the reader's library.
#pragma once

#include "tutorials/pocket/ops.h"

pocket::Tensor logaddexp(const pocket::Tensor& a, const pocket::Tensor& b);
