#include "autograd/ops/norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/two_paths.h"

namespace gradus {
using namespace detail;
namespace {

/// Calls some_rows(begin, end, sums) for parts that cover all rows, and returns `Count` sums over
/// all rows, each with n elements. There is one part for each thread, or more if parts would be
/// longer than kSumBlock. Each part has its own sums, which are added in order.
template <std::size_t Count, class SomeRows>
std::array<Tensor, Count> sums_over_rows(Index rows, Index n, SomeRows some_rows) {
  const int parts =
      std::max(parts_for(rows, row_grain(n)), static_cast<int>((rows + kSumBlock - 1) / kSumBlock));
  constexpr Index kCount = Count;
  const Tensor partial = zeros({parts, kCount, n});
  parallel_parts(parts, [&, shares = partial.mutable_data()](int part) {
    some_rows(part_begin(rows, part, parts), part_begin(rows, part + 1, parts),
              shares + part * kCount * n);
  });
  std::array<Tensor, Count> sums;
  for (std::size_t k = 0; k < Count; ++k) {
    sums[k] = zeros({n});
    Scalar* const to = sums[k].mutable_data();
    const Scalar* from = partial.data() + static_cast<Index>(k) * n;
    for (int part = 0; part < parts; ++part, from += kCount * n) {
      std::transform(from, from + n, to, to, std::plus<>());
    }
  }
  return sums;
}

/// y = (x - mean) r weight + bias for each of `rows` rows of `n`; mean and r go to `means` and
/// `rs`.
void layer_norm_forward(const Scalar* x, const Scalar* weight, const Scalar* bias, Scalar epsilon,
                        Index rows, Index n, Scalar* y, Scalar* means, Scalar* rs) {
  parallel_for(rows, row_grain(n), [=](Index begin, Index end) {
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

/// The gradients for rows [begin, end): writes dx, and adds the rows' shares to dweight and dbias.
/// kInput: whether dx is wanted; kShares: whether the shares are.
template <bool kInput, bool kShares>
void layer_norm_backward(const Scalar* x, const Scalar* weight, const Scalar* means,
                         const Scalar* rs, const Scalar* dy, Index begin, Index end, Index n,
                         Scalar* dx, Scalar* dweight, Scalar* dbias) {
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

/// y = x r weight for each of `rows` rows of `n`; r goes to `rs`. Without `weight` it counts as 1.
void rms_norm_forward(const Scalar* x, const Scalar* weight, Scalar epsilon, Index rows, Index n,
                      Scalar* y, Scalar* rs) {
  parallel_for(rows, row_grain(n), [=](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* from = x + row * n;
      Scalar* to = y + row * n;
      const Scalar r = 1 / std::sqrt(row_dot(from, from, n) / static_cast<Scalar>(n) + epsilon);
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

/// Writes dx of rows [begin, end), and adds their share to dweight; skips outputs that are nullptr.
void rms_norm_backward(const Scalar* x, const Scalar* weight, const Scalar* rs, const Scalar* dy,
                       Index begin, Index end, Index n, Scalar* dx, Scalar* dweight) {
  for (Index row = begin; row < end; ++row) {
    const Scalar* from = x + row * n;
    const Scalar* d = dy + row * n;
    const Scalar r = rs[row];
    if (dx != nullptr) {
      Scalar* to = dx + row * n;
      for (Index i = 0; i < n; ++i) {
        to[i] = weight != nullptr ? d[i] * weight[i] : d[i];
      }
      const Scalar along = row_dot(to, from, n) * r / static_cast<Scalar>(n);
      for (Index i = 0; i < n; ++i) {
        to[i] = r * (to[i] - from[i] * r * along);
      }
    }
    if (dweight != nullptr) {
      for (Index i = 0; i < n; ++i) {
        dweight[i] += d[i] * from[i] * r;
      }
    }
  }
}

Tensor fused_layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Scalar epsilon) {
  const Index n = x.size(-1), rows = x.size() / n;
  Tensor y(x.shape()), means(Shape{rows}), rs(Shape{rows});
  layer_norm_forward(x.data(), weight.data(), data_of(bias), epsilon, rows, n, y.mutable_data(),
                     means.mutable_data(), rs.mutable_data());
  // saved: x, weight, means, rs
  return record("layer_norm", y, {x, weight, bias},
                [=, x = Saved(x), weight = Saved(weight)](const Tensor& dy,
                                                          const Wanted& wanted) -> Gradients {
                  if (is_recording()) {
                    return composed_gradients(dy, wanted, {x, weight, bias}, [=](const auto& in) {
                      return gradus::layer_norm(in[0], in[1], in[2], epsilon);
                    });
                  }
                  const Tensor dx = room_if(wanted[0], x->shape());
                  const auto backward = [&, to = room_of(dx)](auto rows_backward, Index begin,
                                                              Index end, Scalar* shares) {
                    rows_backward(x->data(), weight->data(), means.data(), rs.data(), dy.data(),
                                  begin, end, n, to, shares,
                                  shares == nullptr ? nullptr : shares + n);
                  };
                  if (!wanted[1] && !wanted[2]) {
                    parallel_for(rows, row_grain(n), [&](Index begin, Index end) {
                      backward(layer_norm_backward<true, false>, begin, end, nullptr);
                    });
                    return {dx, Tensor(), Tensor()};
                  }
                  const auto rows_backward = wanted[0] ? layer_norm_backward<true, true>
                                                       : layer_norm_backward<false, true>;
                  const auto [dweight, dbias] =
                      sums_over_rows<2>(rows, n, [&](Index begin, Index end, Scalar* shares) {
                        backward(rows_backward, begin, end, shares);
                      });
                  return {dx, dweight, dbias};
                });
}

Tensor fused_rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon) {
  const Index n = x.size(-1), rows = x.size() / n;
  Tensor y(x.shape()), rs(Shape{rows});
  rms_norm_forward(x.data(), data_of(weight), epsilon, rows, n, y.mutable_data(),
                   rs.mutable_data());
  // saved: x, weight, rs
  return record("rms_norm", y, {x, weight},
                [=, x = Saved(x), weight = Saved(weight)](const Tensor& dy,
                                                          const Wanted& wanted) -> Gradients {
                  if (is_recording()) {
                    return composed_gradients(dy, wanted, {x, weight}, [=](const auto& in) {
                      return gradus::rms_norm(in[0], in[1], epsilon);
                    });
                  }
                  const Tensor dx = room_if(wanted[0], x->shape());
                  const auto backward = [&, to = room_of(dx)](Index begin, Index end,
                                                              Scalar* share) {
                    rms_norm_backward(x->data(), data_of(weight), rs.data(), dy.data(), begin, end,
                                      n, to, share);
                  };
                  if (wanted[1]) {
                    return {dx, sums_over_rows<1>(rows, n, backward)[0]};
                  }
                  parallel_for(rows, row_grain(n),
                               [&](Index begin, Index end) { backward(begin, end, nullptr); });
                  return {dx, Tensor()};
                });
}

void check_epsilon(const char* op, Scalar epsilon) {
  check(epsilon >= 0 && std::isfinite(epsilon), op,
        ": epsilon must be finite and not negative, got ", epsilon, " (1e-5 is usual)");
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Scalar epsilon) {
  require_defined("layer_norm", {{"x", x}, {"weight", weight}});
  check(x.rank() >= 1 && x.size(-1) > 0 && weight.shape() == Shape{x.size(-1)} &&
            (!bias.defined() || bias.shape() == weight.shape()),
        "layer_norm: needs x [..., C], weight [C] and bias [C], got x ", x.shape(), ", weight ",
        weight.shape(), ", bias ", ShapeOf{bias});
  check_epsilon("layer_norm", epsilon);
  if (uses_fused()) return fused_layer_norm(x, weight, bias, epsilon);
  const Tensor centred = x - mean(x, -1, {.keepdim = true});
  const Tensor y = centred / sqrt(variance(x, -1, {.keepdim = true}) + epsilon) * weight;
  return bias.defined() ? y + bias : y;
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon) {
  require_defined("rms_norm", {{"x", x}});
  check(
      x.rank() >= 1 && x.size(-1) > 0 && (!weight.defined() || weight.shape() == Shape{x.size(-1)}),
      "rms_norm: needs x [..., C] and weight [C], got x ", x.shape(), " and weight ",
      ShapeOf{weight});
  check_epsilon("rms_norm", epsilon);
  if (uses_fused()) return fused_rms_norm(x, weight, epsilon);
  const Tensor y = x / sqrt(mean(x * x, -1, {.keepdim = true}) + epsilon);
  return weight.defined() ? y * weight : y;
}

}  // namespace gradus
