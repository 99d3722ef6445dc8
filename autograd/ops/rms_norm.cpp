#include <cmath>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

/// y = x r weight for each of `rows` rows of `n`; r goes to `rs`. Without `weight` it counts as 1.
void rms_norm_forward(const Scalar* x, const Scalar* weight, Scalar epsilon, Index rows, Index n,
                      Scalar* y, Scalar* rs) {
  parallel_for(rows, kElementGrain / n + 1, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* from = x + row * n;
      Scalar* to = y + row * n;
      const Scalar r = inverse_rms(from, n, epsilon);
      for (Index i = 0; i < n; ++i) {
        to[i] = from[i] * r;
      }
      if (weight != nullptr) {
        for (Index i = 0; i < n; ++i) {
          to[i] *= weight[i];
        }
      }
      rs[row] = r;
    }
  });
}

/// dx of rows [begin, end), and their share of dweight, which is added. Both weights may be null.
void backward_rows(const Scalar* x, const Scalar* weight, const Scalar* rs, const Scalar* dy,
                   Index begin, Index end, Index n, Scalar* dx, Scalar* dweight) {
  for (Index row = begin; row < end; ++row) {
    const Scalar* from = x + row * n;
    const Scalar* d = dy + row * n;
    Scalar* to = dx + row * n;
    const Scalar r = rs[row];
    for (Index i = 0; i < n; ++i) {
      to[i] = weight != nullptr ? d[i] * weight[i] : d[i];
    }
    rms_norm_gradient(from, r, to, n);
    if (weight != nullptr) {
      for (Index i = 0; i < n; ++i) {
        dweight[i] += d[i] * from[i] * r;
      }
    }
  }
}

void check_arguments(const Tensor& x, const Tensor& weight) {
  require_defined("rms_norm", {{"x", x}});
  check(
      x.rank() >= 1 && x.size(-1) > 0 && (!weight.defined() || weight.shape() == Shape{x.size(-1)}),
      "rms_norm: needs x [..., C] and weight [C], got x ", x.shape(), " and weight ",
      weight.defined() ? weight.shape() : Shape());
}

}  // namespace

Tensor rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon) {
  check_arguments(x, weight);
  const Index n = x.size(-1);
  const Index rows = x.size() / n;
  Tensor y(x.shape());
  Tensor rs(Shape{rows});
  rms_norm_forward(x.data(), weight.defined() ? weight.data() : nullptr, epsilon, rows, n, y.data(),
                   rs.data());
  // saved: x, weight, rs
  return record("rms_norm", y, {x, weight},
                [=, x = x.detach(), weight = weight.detach()](const Tensor& dy) -> Gradients {
                  once_only("rms_norm", "rms_norm_composed");
                  Tensor dx(x.shape());
                  const int parts = parts_for(rows, kElementGrain / n + 1);
                  // A sum for each thread's rows, added in order.
                  Tensor dweights = weight.defined() ? zeros({parts, n}) : Tensor();
                  parallel_parts(parts, [&](int part) {
                    backward_rows(x.data(), weight.defined() ? weight.data() : nullptr, rs.data(),
                                  dy.data(), part_begin(rows, part, parts),
                                  part_begin(rows, part + 1, parts), n, dx.data(),
                                  weight.defined() ? dweights.data() + part * n : nullptr);
                  });
                  return {dx, weight.defined() ? sum(dweights, 0) : Tensor()};
                });
}

Tensor rms_norm_composed(const Tensor& x, const Tensor& weight, Scalar epsilon) {
  check_arguments(x, weight);
  const Tensor y = x / sqrt(mean(x * x, -1, {.keepdim = true}) + epsilon);
  return weight.defined() ? y * weight : y;
}

}  // namespace gradus
