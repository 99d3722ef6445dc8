#include "autograd/ops/attention_kernels.h"

#include <algorithm>
#include <limits>

#include "autograd/kernels/blas.h"
#include "autograd/kernels/dropout_mask.h"
#include "autograd/kernels/rows.h"
#include "autograd/kernels/scratch.h"
#include "autograd/kernels/vector_math.h"

namespace gradus::detail {
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

/// scores[rows, keys] = scale q k^T + bias, -inf for keys that the row must not see.
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

/// The position in the dropout stream where the weights of row `i` of the block begin.
Index first_weight(const AttentionHead& h, const Block& b, Index i) {
  return h.first_weight + (b.begin + i) * h.keys;
}

/// Applies dropout to the weights of the block's rows, or to the gradient of the dropped weights.
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
        // The row sees no key: no weights, no gradient. But a NaN must not count as a mask.
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
  // Begins with the last block, which sees the most keys and writes dk and dv. The others add to
  // them.
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
    // dscores = weights (dweights - sum(dweights weights)); the sum is equal to sum(dout out).
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

}  // namespace gradus::detail
