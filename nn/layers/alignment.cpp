#include "nn/layers/alignment.h"

#include <cmath>
#include <limits>

#include "autograd/check.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();

/// Vectors of length 1; the small constant keeps a zero vector, and its gradient, finite.
Tensor unit(const Tensor& x) { return x / sqrt(sum(x * x, -1, {.keepdim = true}) + Scalar(1e-12)); }

}  // namespace

Alignment::Alignment(AlignmentKind kind, const Sizes& sizes, KeySequence& keys) : kind(kind) {
  const Index hidden = sizes.hidden > 0 ? sizes.hidden : sizes.state;
  switch (kind) {
    case AlignmentKind::kAdditive:
      state = Linear(sizes.state, hidden, keys);
      source = Linear(sizes.source, hidden, keys, false);
      v = Linear(hidden, 1, keys, false);
      break;
    case AlignmentKind::kLocation:
      check(sizes.longest > 0, "alignment: ", name_of(kind), " needs the longest source's length");
      state = Linear(sizes.state, sizes.longest, keys, false);
      break;
    case AlignmentKind::kGeneral:
      state = Linear(sizes.state, sizes.source, keys, false);
      break;
    case AlignmentKind::kCosine:
      log_beta = zeros({}).set_requires_grad();
      [[fallthrough]];
    case AlignmentKind::kDot:
    case AlignmentKind::kScaledDot:
      check(sizes.state == sizes.source, "alignment: ", name_of(kind),
            " needs states of one width, got ", sizes.state, " and ", sizes.source,
            " (general takes any)");
  }
}

Alignment::Source Alignment::prepare(const Tensor& h, const IndexTensor& mask) const {
  check(h.rank() == 3, "alignment: needs h [B, S, C], got ", h.shape());
  Source prepared{h, h, {}};
  if (mask.defined()) {
    check(mask.shape() == Shape{h.size(0), h.size(1)}, "alignment: needs a mask [B, S], got h ",
          h.shape(), " and mask ", mask.shape());
    prepared.mask = mask.reshape({h.size(0), 1, h.size(1)});
  }
  if (kind == AlignmentKind::kCosine) {
    prepared.keys = unit(h);
  } else if (kind ==
             AlignmentKind::kAdditive) {  // W h, by the half of [s; h] that is h: [B, 1, S, A]
    const Tensor keys = source(h);
    prepared.keys = reshape(keys, {keys.size(0), 1, keys.size(1), keys.size(2)});
  }
  return prepared;
}

Tensor Alignment::scores(const Tensor& s, const Source& source) const {
  const Index length = source.states.size(1);
  switch (kind) {
    case AlignmentKind::kCosine:
      return matmul(unit(s), source.keys, {.b = true}) * exp(log_beta);
    case AlignmentKind::kAdditive: {
      const Tensor of_s = state(s);  // [B, T, A]
      const Tensor sum = reshape(of_s, {s.size(0), s.size(1), 1, -1}) + source.keys;
      return reshape(v(tanh(sum)), {s.size(0), s.size(1), length});
    }
    case AlignmentKind::kLocation:
      check(length <= state.weight.size(1), "alignment: a source of ", length,
            " is longer than the longest, ", state.weight.size(1));
      return slice(state(s), -1, 0, length);
    case AlignmentKind::kGeneral:
      return matmul(state(s), source.keys, {.b = true});
    case AlignmentKind::kScaledDot:
      return matmul(s, source.keys, {.b = true}) * (1 / std::sqrt(static_cast<Scalar>(s.size(-1))));
    default:
      return matmul(s, source.keys, {.b = true});
  }
}

Alignment::Aligned Alignment::operator()(const Tensor& s, const Source& source) const {
  if (s.rank() == 2) {
    const auto [weights, context] = (*this)(reshape(s, {s.size(0), 1, s.size(1)}), source);
    return {reshape(weights, {s.size(0), -1}), reshape(context, {s.size(0), -1})};
  }
  check(s.rank() == 3 && s.size(0) == source.states.size(0),
        "alignment: needs s [B, T, H] or [B, H], got s ", s.shape(), " and h ",
        source.states.shape());
  Tensor e = scores(s, source);
  if (source.mask.defined()) {
    e = where(source.mask, e, scalar(kMinusInfinity));
  }
  const Tensor weights = softmax(e);
  return {weights, matmul(weights, source.states)};
}

}  // namespace gradus
