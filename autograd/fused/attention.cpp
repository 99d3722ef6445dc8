#include "autograd/fused/attention.h"

#include <algorithm>
#include <array>
#include <limits>

#include "autograd/fused/fused.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/dropout_mask.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/rows.h"
#include "autograd/kernels/scratch.h"
#include "autograd/more/packed_attention.h"
#include "autograd/ops/reduce.h"

namespace gradus::fused {
using namespace detail;
namespace {

constexpr Index kBlockRows = 64;
constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

/// A block of query rows [begin, end) and the keys [0, keys) that any of them may see.
struct Block {
  Index begin;
  Index rows;
  Index keys;
};

Block block_at(const AttentionHead& h, Index begin) {
  const Index rows = std::min(kBlockRows, h.queries - begin);
  const Index last_seen = begin + rows - 1 + h.keys - h.queries;
  const Index keys = h.causal ? std::clamp<Index>(last_seen + 1, 0, h.keys) : h.keys;
  return {begin, rows, keys};
}

MatrixView view(const Rows<const Scalar>& x, Index row, bool transposed = false) {
  return {x.data + row * x.stride, x.stride, transposed};
}

/// scores[rows, keys] = scale q k^T + bias, -inf where the row must not look.
void masked_scores(const AttentionHead& h, const Block& b, Scalar* scores) {
  gemm(b.rows, b.keys, h.width, h.scale, view(h.q, b.begin), view(h.k, 0, true), 0, scores, b.keys);
  for (Index i = 0; i < b.rows; ++i) {
    Scalar* row = scores + i * b.keys;
    const Index t = b.begin + i;
    if (h.bias.data != nullptr) {
      const Scalar* bias = h.bias.data + t * h.bias.row_stride;
      for (Index j = 0; j < b.keys; ++j) {
        row[j] += bias[j * h.bias.column_stride];
      }
    }
    if (h.causal) {
      const Index seen = std::clamp<Index>(t + h.keys - h.queries + 1, 0, b.keys);
      std::fill(row + seen, row + b.keys, -kInfinity);
    }
    if (h.mask.data != nullptr) {
      const std::int32_t* mask = h.mask.data + t * h.mask.row_stride;
      for (Index j = 0; j < b.keys; ++j) {
        row[j] = mask[j * h.mask.column_stride] != 0 ? row[j] : -kInfinity;
      }
    }
  }
}

/// The weights of row `i` of the block: where in the stream of dropout its first one stands.
Index first_weight(const AttentionHead& h, const Block& b, Index i) {
  return h.first_weight + (b.begin + i) * h.keys;
}

/// weights = dropout(weights) of the block's rows; the same for the gradient of dropped weights.
void drop(const AttentionHead& h, const Block& b, const Scalar* from, Scalar* to) {
  for (Index i = 0; i < b.rows; ++i) {
    drop_row(h.random, first_weight(h, b, i), b.keys, h.dropout, from + i * b.keys,
             to + i * b.keys);
  }
}

void clear(const Rows<Scalar>& x, Index rows, Index width) {
  for (Index i = 0; x.data != nullptr && i < rows; ++i) {
    std::fill_n(x.data + i * x.stride, width, Scalar(0));
  }
}

/// How the heads of one operand lie in memory: head h of batch b begins at column + b batch + h
/// head.
struct Layout {
  Index column;
  Index batch;
  Index head;
  Index row;  // from one row to the next
};

/// The part of a mask or a bias that head i has, of heads with the leading axes of `weights`.
template <class Element, class Array>
Grid<Element> grid_of(const Array& values, const Shape& weights, Index i) {
  if (!values.defined()) {
    return {};
  }
  const auto leading = [](const Shape& shape) {
    return Shape(std::span(shape.begin(), shape.end() - std::min(shape.rank(), 2)));
  };
  const Shape from = leading(values.shape());
  const BroadcastPlan<1> plan(leading(weights), {&from});
  const Index at = plan.offsets(i / plan.sizes[0])[0] + i % plan.sizes[0] * plan.strides[0][0];
  const Index rows = values.rank() > 1 ? values.size(-2) : 1;
  const Index columns = values.size(-1);
  return {values.data() + at * rows * columns, rows > 1 ? columns : 0, columns > 1 ? 1 : 0};
}

}  // namespace

void attention_forward(const AttentionHead& h, Rows<Scalar> out, Scalar* sums) {
  Scalar *tops = sums, *inverses = sums + h.queries;
  Scratch scores(std::min(kBlockRows, h.queries) * h.keys);
  for (Index begin = 0; begin < h.queries; begin += kBlockRows) {
    const Block b = block_at(h, begin);
    masked_scores(h, b, scores.data());
    for (Index i = 0; i < b.rows; ++i) {
      Scalar* row = scores.data() + i * b.keys;
      const Scalar top = row_max(row, b.keys);
      if (top == -kInfinity) {
        // Nothing to see: no weights, no gradient. Unless it is NaN, which must not pass for a
        // mask.
        const Scalar total = row_sum(row, b.keys);
        const bool is_nan = total != total;
        const Scalar nothing = is_nan ? total : Scalar(0);
        std::fill(row, row + b.keys, nothing);
        tops[b.begin + i] = inverses[b.begin + i] = nothing;
        continue;
      }
      const Scalar inverse = 1 / row_exp(row, top, row, b.keys);
      row_scale(row, inverse, b.keys);
      tops[b.begin + i] = top;
      inverses[b.begin + i] = inverse;
    }
    if (h.dropout > 0) {
      drop(h, b, scores.data(), scores.data());
    }
    gemm(b.rows, h.out_width, b.keys, 1, {scores.data(), b.keys}, view(h.v, 0), 0,
         out.data + b.begin * out.stride, out.stride);
  }
}

namespace {

/// The gradients of q, k and v given what attention_forward() wrote and the gradient of out, all
/// written, none added to; and of the scores, [T, S], where what the causal restriction hides is
/// left as is. Those without data are not wanted.
void attention_backward(const AttentionHead& h, Rows<const Scalar> out, const Scalar* sums,
                        Rows<const Scalar> dout, Rows<Scalar> dq, Rows<Scalar> dk, Rows<Scalar> dv,
                        Scalar* dscores) {
  if (h.queries == 0) {
    clear(dk, h.keys, h.width);
    clear(dv, h.keys, h.out_width);
  }
  const bool scores_wanted = dq.data != nullptr || dk.data != nullptr || dscores != nullptr;
  Scratch weights(kBlockRows * h.keys);
  Scratch dropped(h.dropout > 0 ? kBlockRows * h.keys : 0);
  Scratch dweights(kBlockRows * h.keys);
  // From the last block, which sees the most keys and writes dk and dv; the others add to them.
  const Index blocks = (h.queries + kBlockRows - 1) / kBlockRows;
  for (Index block = blocks; block-- > 0;) {
    const Block b = block_at(h, block * kBlockRows);
    const Scalar add = block == blocks - 1 ? Scalar(0) : Scalar(1);
    Scalar* p = weights.data();
    Scalar* dp = dweights.data();
    masked_scores(h, b, p);
    for (Index i = 0; i < b.rows; ++i) {
      const Scalar top = sums[b.begin + i], inverse = sums[h.queries + b.begin + i];
      Scalar* row = p + i * b.keys;
      for (Index j = 0; j < b.keys; ++j) {
        row[j] = exp_of(row[j] - top) * inverse;
      }
    }
    if (dv.data != nullptr) {
      const Scalar* used = p;  // the weights after dropout, as multiplied with v
      if (h.dropout > 0) {
        drop(h, b, p, dropped.data());
        used = dropped.data();
      }
      // dv = weights^T dout   [keys x rows] [rows x out_width]
      gemm(b.keys, h.out_width, b.rows, 1, {used, b.keys, true}, view(dout, b.begin), add, dv.data,
           dv.stride);
    }
    if (!scores_wanted) {
      continue;
    }
    // dweights = dout v^T   [rows x out_width] [out_width x keys]
    gemm(b.rows, b.keys, h.out_width, 1, view(dout, b.begin), view(h.v, 0, true), 0, dp, b.keys);
    if (h.dropout > 0) {
      drop(h, b, dp, dp);
    }
    // dscores = weights (dweights - sum(dweights weights)); the sum is that of dout out.
    for (Index i = 0; i < b.rows; ++i) {
      const Index t = b.begin + i;
      const Scalar dot =
          row_dot(dout.data + t * dout.stride, out.data + t * out.stride, h.out_width);
      for (Index j = 0; j < b.keys; ++j) {
        dp[i * b.keys + j] = p[i * b.keys + j] * (dp[i * b.keys + j] - dot);
      }
      if (dscores != nullptr) {
        std::copy_n(dp + i * b.keys, b.keys, dscores + t * h.keys);
      }
    }
    // dq = scale dscores k, dk = scale dscores^T q
    if (dq.data != nullptr) {
      gemm(b.rows, h.width, b.keys, h.scale, {dp, b.keys}, view(h.k, 0), 0,
           dq.data + b.begin * dq.stride, dq.stride);
    }
    if (dk.data != nullptr) {
      gemm(b.keys, h.width, b.rows, h.scale, {dp, b.keys, true}, view(h.q, b.begin), add, dk.data,
           dk.stride);
    }
  }
}

/// All heads of one call.
struct Attention {
  Index heads;      // of all batches
  Index per_batch;  // of one
  Index queries, keys, width, out_width;
  Layout q_at, k_at, v_at, out_at;
  Shape weights;  // [..., T, S], which mask and bias broadcast to
  AttentionOptions options;

  /// The rows of head i, where `data` holds an operand; none if it is nullptr.
  template <class Element>
  Rows<Element> rows_of(Element* data, const Layout& at, Index i) const {
    if (data == nullptr) {
      return {};
    }
    return {data + at.column + i / per_batch * at.batch + i % per_batch * at.head, at.row};
  }

  AttentionHead head(const Tensor& q, const Tensor& k, const Tensor& v, Index i) const {
    AttentionHead head{};
    head.queries = queries;
    head.keys = keys;
    head.width = width;
    head.out_width = out_width;
    head.scale = options.scale_of(width);
    head.bias = grid_of<Scalar>(options.bias, weights, i);
    head.causal = options.causal;
    head.mask = grid_of<std::int32_t>(options.mask, weights, i);
    head.dropout = options.dropout;
    head.random = options.key;
    head.first_weight = i * queries * keys;
    head.q = rows_of(q.data(), q_at, i);
    head.k = rows_of(k.data(), k_at, i);
    head.v = rows_of(v.data(), v_at, i);
    return head;
  }

  template <class Run>
  void for_each_head(Run run) const {
    parallel_for(heads, row_grain({queries, keys, width + out_width}), [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        run(i);
      }
    });
  }

  void forward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out,
               const Tensor& sums) const {
    if (sums.size() == 0) {
      return;  // there may be more heads than can be walked along
    }
    for_each_head([&, to = out.mutable_data(), sums = sums.mutable_data()](Index i) {
      attention_forward(head(q, k, v, i), rows_of(to, out_at, i), sums + 2 * i * queries);
    });
  }

  /// Writes the gradients that are defined, and returns that of the bias if it is wanted.
  Tensor backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out,
                  const Tensor& sums, const Tensor& dout, const Tensor& dq, const Tensor& dk,
                  const Tensor& dv, bool bias_wanted) const {
    const Tensor dscores = bias_wanted ? zeros(weights) : Tensor();
    if (q.size() == 0 && k.size() == 0 && v.size() == 0) {
      return bias_wanted ? sum_to(dscores, options.bias.shape()) : Tensor();  // as in forward()
    }
    Scalar* const of_scores = room_of(dscores);
    for_each_head([&, dq = room_of(dq), dk = room_of(dk), dv = room_of(dv)](Index i) {
      attention_backward(head(q, k, v, i), rows_of(out.data(), out_at, i),
                         sums.data() + 2 * i * queries, rows_of(dout.data(), out_at, i),
                         rows_of(dq, q_at, i), rows_of(dk, k_at, i), rows_of(dv, v_at, i),
                         bias_wanted ? of_scores + i * queries * keys : nullptr);
    });
    return bias_wanted ? sum_to(dscores, options.bias.shape()) : Tensor();
  }
};

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  constexpr const char* kOp = "scaled_dot_product_attention";
  const Index t = q.size(-2), s = k.size(-2), d = q.size(-1), e = v.size(-1);
  const Index heads = q.shape().product(0, q.rank() - 2);
  Tensor y(q.shape().with(-1, e, kOp)), sums(Shape(std::array<Index, 3>{heads, 2, t}, kOp));
  const Layout q_at{0, 0, t * d, d}, k_at{0, 0, s * d, d}, v_at{0, 0, s * e, e};
  const Attention attention{
      heads, heads, t, s, d, e, q_at, k_at, v_at, {0, 0, t * e, e}, q.shape().with(-1, s), options};
  attention.forward(q, k, v, y, sums);
  // saved: q, k, v, bias, y, sums
  return record(kOp, y, {q, k, v, options.bias},
                [=, q = Saved(q), k = Saved(k), v = Saved(v), mask = Saved(options.mask),
                 bias = Saved(options.bias)](const Tensor& dy, const Tensor& y,
                                             const Wanted& wanted) -> Gradients {
                  mask.verify();
                  bias.verify();
                  const AttentionOptions& options = attention.options;
                  if (is_recording()) {
                    return detail::composed_gradients(
                        dy, wanted, {q, k, v, options.bias}, [&](const auto& in) {
                          AttentionOptions same = options;
                          same.bias = in[3];
                          return gradus::scaled_dot_product_attention(in[0], in[1], in[2], same);
                        });
                  }
                  const Tensor dq = room_if(wanted[0], q->shape());
                  const Tensor dk = room_if(wanted[1], k->shape());
                  const Tensor dv = room_if(wanted[2], v->shape());
                  const Tensor dbias =
                      attention.backward(q, k, v, y, sums, dy, dq, dk, dv, wanted[3]);
                  return {dq, dk, dv, dbias};
                });
}

Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options) {
  const Index b = qkv.size(0), t = qkv.size(1), c = qkv.size(2) / 3, d = c / heads;
  const auto part = [=](Index number) { return Layout{number * c, t * 3 * c, d, 3 * c}; };
  const Attention attention{
      b * heads,        heads,  t, t, d, d, part(0), part(1), part(2), {0, t * c, d, c},
      {b, heads, t, t}, options};
  constexpr const char* kOp = "packed_self_attention";
  Tensor y(Shape{b, t, c}), sums(Shape(std::array<Index, 3>{b * heads, 2, t}, kOp));
  attention.forward(qkv, qkv, qkv, y, sums);
  // saved: qkv, bias, y, sums
  return record(
      kOp, y, {qkv, options.bias},
      [=, qkv = Saved(qkv), mask = Saved(options.mask), bias = Saved(options.bias)](
          const Tensor& dy, const Tensor& y, const Wanted& wanted) -> Gradients {
        mask.verify();
        bias.verify();
        const AttentionOptions& options = attention.options;
        if (is_recording()) {
          return detail::composed_gradients(dy, wanted, {qkv, options.bias}, [&](const auto& in) {
            AttentionOptions same = options;
            same.bias = in[1];
            return gradus::packed_self_attention(in[0], heads, same);
          });
        }
        const Tensor d = room_if(wanted[0], qkv->shape());
        const Tensor dbias = attention.backward(qkv, qkv, qkv, y, sums, dy, d, d, d, wanted[1]);
        return {d, dbias};
      });
}

}  // namespace gradus::fused
