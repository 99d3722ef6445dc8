/// @file
/// Turns the library's index tensors into the reader's, which exist from chapter 07 on.
#pragma once

#include "autograd/index_tensor.h"
#include "tutorials/common/own.h"

inline pocket::IndexTensor own(const gradus::IndexTensor& x) {
  const pocket::Shape shape(x.shape().begin(), x.shape().end());
  return pocket::IndexTensor(shape, {x.begin(), x.end()});
}
