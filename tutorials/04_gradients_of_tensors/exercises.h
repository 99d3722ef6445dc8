/// @file
/// What the exercises of chapter 04 ask for, on the reader's library.
#pragma once

#include "tutorials/pocket/ops.h"

pocket::Tensor logaddexp(const pocket::Tensor& a, const pocket::Tensor& b);
