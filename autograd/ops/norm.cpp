#include "autograd/ops/norm.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"

namespace gradus {
namespace {

/// y = (x - mean) r weight + bias for each of `rows` rows of `n`; mean and r go to `means` and
/// `rs`.
void layer_norm_forward(const Scalar* x, const Scalar* weight, const Scalar* bias, Scalar epsilon,
                        Index rows, Index n, Scalar* y, Scalar* means, Scalar* rs) {
  parallel_for(rows, kElementGrain / n + 1, [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* from = x + row * n;
      Scalar* to = y + row * n;
      const Scalar mean = row_sum(from, n) / static_cast<Scalar>(n);
      Scalar squares = 0;
#pragma omp simd reduction(+ : squares)
      for (Index i = 0; i < n; ++i) {
        squares += (from[i] - mean) * (from[i] - mean);
      }
      const Scalar r = 1 / std::sqrt(squares / static_cast<Scalar>(n) + epsilon);
      if (bias != nullptr) {
        for (Index i = 0; i < n; ++i) {
          to[i] = (from[i] - mean) * r * weight[i] + bias[i];
        }
      } else {
        for (Index i = 0; i < n; ++i) {
          to[i] = (from[i] - mean) * r * weight[i];
        }
      }
      means[row] = mean;
      rs[row] = r;
    }
  });
}

/// The gradients of rows [begin, end): dx, and the rows' shares of dweight and dbias, which are
/// added; of dx and the shares only what is wanted.
template <bool kInput, bool kShares>
void backward_rows(const Scalar* x, const Scalar* weight, const Scalar* means, const Scalar* rs,
                   const Scalar* dy, Index begin, Index end, Index n, Scalar* dx, Scalar* dweight,
                   Scalar* dbias) {
  for (Index row = begin; row < end; ++row) {
    const Scalar* from = x + row * n;
    const Scalar* d = dy + row * n;
    const Scalar mean = means[row];
    const Scalar r = rs[row];
    Scalar sum_g = 0;
    Scalar sum_gn = 0;
#pragma omp simd reduction(+ : sum_g, sum_gn)
    for (Index i = 0; i < n; ++i) {
      const Scalar normal = (from[i] - mean) * r;
      if constexpr (kInput) {
        const Scalar g = d[i] * weight[i];
        sum_g += g;
        sum_gn += g * normal;
      }
      if constexpr (kShares) {
        dweight[i] += d[i] * normal;
        dbias[i] += d[i];
      }
    }
    if constexpr (kInput) {
      Scalar* to = dx + row * n;
      const Scalar mean_g = sum_g / static_cast<Scalar>(n);
      const Scalar mean_gn = sum_gn / static_cast<Scalar>(n);
      for (Index i = 0; i < n; ++i) {
        to[i] = r * (d[i] * weight[i] - mean_g - (from[i] - mean) * r * mean_gn);
      }
    }
  }
}

/// dx, and dweight and dbias as sums over the rows: one partial sum for each thread's rows, added
/// in order. dx or both sums may be nullptr, if they are not wanted.
void layer_norm_backward(const Scalar* x, const Scalar* weight, const Scalar* means,
                         const Scalar* rs, const Scalar* dy, Index rows, Index n, Scalar* dx,
                         Scalar* dweight, Scalar* dbias) {
  const auto some_rows = dweight == nullptr ? backward_rows<true, false>
                         : dx == nullptr    ? backward_rows<false, true>
                                            : backward_rows<true, true>;
  const int parts = parts_for(rows, kElementGrain / n + 1);
  Tensor partial = zeros({dweight == nullptr ? 0 : parts, 2, n});
  parallel_parts(parts, [&](int part) {
    Scalar* own = partial.data() + (dweight == nullptr ? 0 : part * 2 * n);
    some_rows(x, weight, means, rs, dy, part_begin(rows, part, parts),
              part_begin(rows, part + 1, parts), n, dx, own, own + n);
  });
  if (dweight == nullptr) {
    return;
  }
  for (Index i = 0; i < n; ++i) {
    dweight[i] = dbias[i] = 0;
    for (int part = 0; part < parts; ++part) {
      dweight[i] += partial.data()[part * 2 * n + i];
      dbias[i] += partial.data()[part * 2 * n + n + i];
    }
  }
}

void check_arguments(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  require_defined("layer_norm", {{"x", x}, {"weight", weight}});
  check(x.rank() >= 1 && x.size(-1) > 0 && weight.shape() == Shape{x.size(-1)} &&
            (!bias.defined() || bias.shape() == weight.shape()),
        "layer_norm: needs x [..., C], weight [C] and bias [C], got x ", x.shape(), ", weight ",
        weight.shape(), ", bias ", bias.defined() ? bias.shape() : Shape());
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Scalar epsilon) {
  check_arguments(x, weight, bias);
  const Index n = x.size(-1);
  const Index rows = x.size() / n;
  Tensor y(x.shape());
  Tensor means(Shape{rows});
  Tensor rs(Shape{rows});
  layer_norm_forward(x.data(), weight.data(), bias.defined() ? bias.data() : nullptr, epsilon, rows,
                     n, y.data(), means.data(), rs.data());
  // saved: x, weight, means, rs
  return record("layer_norm", y, {x, weight, bias},
                [=, x = x.detach(), weight = weight.detach()](const Tensor& dy,
                                                              const Wanted& wanted) -> Gradients {
                  once_only("layer_norm", "layer_norm_composed");
                  const auto place = [](bool needed, const Shape& shape) {
                    return needed ? Tensor(shape) : Tensor();
                  };
                  const auto data_of = [](const Tensor& t) {
                    return t.defined() ? t.data() : nullptr;
                  };
                  const bool shares = wanted[1] || wanted[2];
                  const Tensor dx = place(wanted[0], x.shape());
                  const Tensor dweight = place(shares, weight.shape());
                  const Tensor dbias = place(shares, weight.shape());
                  layer_norm_backward(x.data(), weight.data(), means.data(), rs.data(), dy.data(),
                                      rows, n, data_of(dx), data_of(dweight), data_of(dbias));
                  return {dx, dweight, dbias};
                });
}

Tensor layer_norm_composed(const Tensor& x, const Tensor& weight, const Tensor& bias,
                           Scalar epsilon) {
  check_arguments(x, weight, bias);
  const Tensor centred = x - mean(x, -1, {.keepdim = true});
  const Tensor y = centred / sqrt(variance(x, -1, {.keepdim = true}) + epsilon) * weight;
  return bias.defined() ? y + bias : y;
}

}  // namespace gradus
