/// @file
/// Replaces pocket's engine with gradus's: use `g++ -include on_gradus/engine.h` to compile
/// pocket's models. It has the ops of pocket's engine and no others: functions that attention.h and
/// position.h define, such as split_heads(), must not be defined twice.
#ifndef POCKET_ENGINE
#define POCKET_ENGINE

// The namespace that the models will be in, so that both engines fit into one program.
#define pocket on_gradus

#include <algorithm>
#include <cstdint>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/tensor.h"

namespace pocket {
using namespace gradus;
using namespace gradus::detail;  // check()

/// pocket's dropout: a word of random bits for each element. gradus::dropout() draws 16 bits, and
/// so drops other elements.
inline Tensor dropout(const Tensor& x, Scalar p, const RandomKey& key) {
  Tensor kept(x.shape());
  const Index n = x.size();
  parallel_for((n + 3) / 4, kElementGrain / 16, [=, to = kept.mutable_data()](Index i, Index end) {
    for (; i < end; ++i) {
      const PhiloxBlock words = random_block(key, static_cast<std::uint64_t>(i));
      for (Index j = 4 * i; j < std::min(4 * i + 4, n); ++j) {
        to[j] = words[static_cast<std::size_t>(j - 4 * i)] < p * 0x1p32 ? 0 : 1 / (1 - p);
      }
    }
  });
  return x * kept;
}
}  // namespace pocket

#endif
