/// @file
/// The library's index tensors as the reader's, which chapter 07 brings.
#pragma once

#include "autograd/index_tensor.h"
#include "tutorials/common/own.h"

inline pocket::IndexTensor own(const gradus::IndexTensor& x) {
  const pocket::Shape shape(x.shape().begin(), x.shape().end());
  return pocket::IndexTensor(shape, {x.begin(), x.end()});
}
