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

/// The number of keys from which row i of the block may have weights: all that the causal mask
/// shows it, rounded up to whole vectors. (So sums are added in the order of the whole row's
/// vectors.)
Index keys_of_row(const AttentionHead& h, const Block& b, Index i) {
  constexpr Index kVector = 16;
  const Index seen = b.begin + i + h.keys - h.queries + 1;
  return h.causal ? std::clamp<Index>((seen + kVector - 1) / kVector * kVector, 0, b.keys) : b.keys;
}

/// scores[rows, keys] = scale q k^T + bias, -inf for keys that the row must not see. Keys beyond
/// keys_of_row() are not masked.
void masked_scores(const AttentionHead& h, const Block& b, Scalar* scores) {
  gemm(b.rows, b.keys, h.width, h.scale, view(h.q, b.begin), view(h.k, 0, true), 0, scores, b.keys);
  for (Index i = 0; i < b.rows; ++i) {
    Scalar* row = scores + i * b.keys;
    const Index t = b.begin + i, n = keys_of_row(h, b, i);
    if (h.bias.data != nullptr) {
      const Scalar* bias = h.bias.data + t * h.bias.row_stride;
      for (Index j = 0; j < n; ++j) {
        row[j] += bias[j * h.bias.column_stride];
      }
    }
    if (h.causal) {
      const Index seen = std::clamp<Index>(t + h.keys - h.queries + 1, 0, n);
      std::fill(row + seen, row + n, -kInfinity);
      if (h.window > 0) {
        std::fill(row, row + std::max<Index>(seen - h.window, 0), -kInfinity);
      }
    }
    if (h.mask.data != nullptr) {
      const std::int32_t* mask = h.mask.data + t * h.mask.row_stride;
      for (Index j = 0; j < n; ++j) {
        row[j] = mask[j * h.mask.column_stride] != 0 ? row[j] : -kInfinity;
      }
    }
  }
}

/// The position of the first weight of row `i` of the block among all heads' weights.
Index first_weight(const AttentionHead& h, const Block& b, Index i) {
  return h.first_weight + (b.begin + i) * h.keys;
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
  DropoutMask mask(h.random, h.dropout);
  for (Index begin = 0; begin < h.queries; begin += kBlockRows) {
    const Block b = block_at(h, begin);
    masked_scores(h, b, scores.data());
    for (Index i = 0; i < b.rows; ++i) {
      Scalar* row = scores.data() + i * b.keys;
      const Index n = keys_of_row(h, b, i);
      std::fill(row + n, row + b.keys, Scalar(0));
      const Scalar top = row_max(row, n);
      if (top == -kInfinity) {
        // The row sees no key: no weights, no gradient. But a NaN must not count as a mask.
        const Scalar total = row_sum(row, n);
        const bool is_nan = total != total;
        const Scalar nothing = is_nan ? total : Scalar(0);
        std::fill(row, row + n, nothing);
        tops[b.begin + i] = inverses[b.begin + i] = nothing;
        continue;
      }
      const Scalar inverse = 1 / row_exp(row, top, row, n);
      if (h.dropout > 0) {
        mask.apply(first_weight(h, b, i), n, row, row, inverse);
      } else {
        row_scale(row, inverse, n);
      }
      tops[b.begin + i] = top;
      inverses[b.begin + i] = inverse;
    }
    gemm(b.rows, h.out_width, b.keys, 1, {scores.data(), b.keys}, view(h.v, 0), 0,
         out.data + b.begin * out.stride, out.stride);
  }
}

void attention_backward(const AttentionHead& h, Rows<const Scalar> out, const Scalar* sums,
                        Rows<const Scalar> dout, Rows<Scalar> dq, Rows<Scalar> dk, Rows<Scalar> dv,
                        Scalar* dscores, bool adds_to_keys) {
  if (h.queries == 0 && !adds_to_keys) {
    clear(dk, h.keys, h.width);
    clear(dv, h.keys, h.out_width);
  }
  const bool scores_wanted = dq.data != nullptr || dk.data != nullptr || dscores != nullptr;
  Scratch weights(kBlockRows * h.keys);
  Scratch dropped(h.dropout > 0 ? kBlockRows * h.keys : 0);
  Scratch dweights(kBlockRows * h.keys);
  DropoutMask mask(h.random, h.dropout);
  // Begins with the last block, which sees the most keys and writes dk and dv, unless they are
  // added to. The others add to them.
  const Index blocks = (h.queries + kBlockRows - 1) / kBlockRows;
  for (Index block = blocks; block-- > 0;) {
    const Block b = block_at(h, block * kBlockRows);
    const Scalar add = block == blocks - 1 && !adds_to_keys ? Scalar(0) : Scalar(1);
    Scalar* const p = weights.data();
    Scalar* const used =
        h.dropout > 0 ? dropped.data() : p;  // the weights that v is multiplied with
    Scalar* const dp = dweights.data();
    masked_scores(h, b, p);
    for (Index i = 0; i < b.rows; ++i) {
      const Scalar top = sums[b.begin + i], inverse = sums[h.queries + b.begin + i];
      const Index n = keys_of_row(h, b, i);
      Scalar* row = p + i * b.keys;
      for (Index j = 0; j < n; ++j) {
        row[j] = exp_of(row[j] - top) * inverse;
      }
      std::fill(row + n, row + b.keys, Scalar(0));
      if (h.dropout > 0) {
        Scalar* used_row = used + i * b.keys;
        mask.apply(first_weight(h, b, i), n, row, used_row);
        std::fill(used_row + n, used_row + b.keys, Scalar(0));
      }
    }
    if (dv.data != nullptr) {
      // dv = weights^T dout   [keys x rows] [rows x out_width]
      gemm(b.keys, h.out_width, b.rows, 1, {used, b.keys, true}, view(dout, b.begin), add, dv.data,
           dv.stride);
    }
    if (!scores_wanted) {
      continue;
    }
    // dused = dout v^T   [rows x out_width] [out_width x keys]
    gemm(b.rows, b.keys, h.out_width, 1, view(dout, b.begin), view(h.v, 0, true), 0, dp, b.keys);
    // dscores = used dused - weights sum(dused used); the sum is equal to sum(dout out).
    for (Index i = 0; i < b.rows; ++i) {
      const Index t = b.begin + i, n = keys_of_row(h, b, i);
      const Scalar dot =
          row_dot(dout.data + t * dout.stride, out.data + t * out.stride, h.out_width);
      const Scalar *row = p + i * b.keys, *used_row = used + i * b.keys;
      Scalar* d = dp + i * b.keys;
      if (h.dropout > 0) {
        for (Index j = 0; j < n; ++j) {
          d[j] = used_row[j] * d[j] - row[j] * dot;
        }
      } else {
        for (Index j = 0; j < n; ++j) {
          d[j] = row[j] * (d[j] - dot);
        }
      }
      std::fill(d + n, d + b.keys, Scalar(0));
      if (dscores != nullptr) {
        std::copy_n(d, b.keys, dscores + t * h.keys);
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
