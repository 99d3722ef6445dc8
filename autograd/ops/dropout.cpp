#include "autograd/ops/dropout.h"

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/dropout_mask.h"
#include "autograd/kernels/loops.h"

namespace gradus {
using namespace detail;

void detail::check_dropout(const char* op, Scalar p) {
  check(p >= 0 && p < 1, op, ": the probability of dropping must be in [0, 1), got ", p);
}

Tensor dropout(const Tensor& x, Scalar p, const RandomKey& key) {
  require_defined("dropout", {{"x", x}});
  check_dropout("dropout", p);
  if (p == 0) return x;
  Tensor y(x.shape());
  const auto piece = [=, &key, from = x.data(), to = y.mutable_data()](Index begin, Index end) {
    DropoutMask(key, p).apply(begin, end - begin, from + begin, to + begin);
  };
  parallel_for(x.size(), kElementGrain, piece);
  return record("dropout", y, {x}, [p, key](const Tensor& dy) { return dropout(dy, p, key); });
}

}  // namespace gradus
