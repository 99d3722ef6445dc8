#include "nn/layers/alignment.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/names.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr Index B = 2, T = 3, S = 5, H = 7;

Alignment made(AlignmentKind kind, Index source = H) {
  KeySequence keys(1);
  Alignment align(kind, {.state = H, .source = source, .hidden = 11, .longest = 6}, keys);
  if (align.log_beta.defined()) *align.log_beta.mutable_data() = Scalar(0.5);
  return align;
}

std::vector<AlignmentKind> all_kinds() {
  std::vector<AlignmentKind> kinds;
  for (std::size_t i = 0; i < names_of(AlignmentKind{}).size(); ++i) {
    kinds.push_back(static_cast<AlignmentKind>(i));
  }
  return kinds;
}

double dot(const Scalar* x, const Scalar* y) {
  double total = 0;
  for (Index i = 0; i < H; ++i) total += double{x[i]} * double{y[i]};
  return total;
}

/// The score of one pair by its formula; `j` is h's place.
double score(const Alignment& align, const Scalar* s, const Scalar* h, Index j) {
  const auto times = [](const Linear& layer, const Scalar* x) {
    return linear(tensor({1, H}, {x, x + H}), layer.weight, layer.bias);
  };
  switch (align.kind) {
    case AlignmentKind::kCosine:
      return std::exp(0.5) * dot(s, h) / std::sqrt(dot(s, s) * dot(h, h));
    case AlignmentKind::kAdditive: {
      const Tensor of_s = times(align.state, s), of_h = times(align.source, h);
      double total = 0;
      for (Index i = 0; i < 11; ++i) {
        total += align.v.weight.data()[i] * std::tanh(double{of_s.data()[i]} + of_h.data()[i]);
      }
      return total;
    }
    case AlignmentKind::kLocation:
      return times(align.state, s).data()[j];
    case AlignmentKind::kGeneral:
      return dot(times(align.state, s).data(), h);
    case AlignmentKind::kDot:
      return dot(s, h);
    default:
      return dot(s, h) / std::sqrt(7.0);
  }
}

}  // namespace

TEST_CASE("alignment: every score is its formula, pair by pair") {
  const Tensor s = drawn({B, T, H}, 1), h = drawn({B, S, H}, 2);
  for (const AlignmentKind kind : all_kinds()) {
    CAPTURE(name_of(kind));
    const Alignment align = made(kind);
    Tensor expected({B, T, S});
    for (Index i = 0; i < expected.size(); ++i) {
      const Index b = i / (T * S), j = i % S;
      expected.mutable_data()[i] =
          static_cast<Scalar>(score(align, s.data() + i / S * H, h.data() + (b * S + j) * H, j));
    }
    CHECK_CLOSE(align.scores(s, align.prepare(h)), expected, kSameMaths);
    const auto [weights, context] = align(s, h);
    CHECK_CLOSE(weights, softmax(expected), kSameMaths);
    CHECK_CLOSE(context, matmul(softmax(expected), h), kSameMaths);
  }
}

TEST_CASE("alignment: one state at a time is all at once") {
  const Tensor s = drawn({B, T, H}, 1), h = drawn({B, S, H}, 2);
  for (const AlignmentKind kind : all_kinds()) {
    const Alignment align = made(kind);
    const auto [weights, context] = align(s, h);
    const Alignment::Source source = align.prepare(h);
    for (Index t = 0; t < T; ++t) {
      const auto one = align(reshape(slice(s, 1, t, t + 1), {B, H}), source);
      CHECK(one.weights.shape() == Shape{B, S});
      CHECK_CLOSE(one.context, reshape(slice(context, 1, t, t + 1), {B, H}));
      CHECK_CLOSE(one.weights, reshape(slice(weights, 1, t, t + 1), {B, S}));
    }
  }
}

TEST_CASE("alignment: what is masked gets no weight, and changes nothing") {
  const Tensor s = drawn({B, T, H}, 1), h = drawn({B, S, H}, 2);
  const Tensor padded = concat({h, full({B, 1, H}, Scalar(1e3))}, 1);
  const IndexTensor mask = indices({{1, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}});
  for (const AlignmentKind kind : all_kinds()) {
    const Alignment align = made(kind);
    const auto plain = align(s, h);
    const auto masked = align(s, padded, mask);
    CHECK_CLOSE(masked.context, plain.context);
    CHECK_CLOSE(slice(masked.weights, -1, 0, S), plain.weights);
    CHECK(sum(slice(masked.weights, -1, S)).item() == 0);
    const Tensor leaf = s.clone().set_requires_grad();
    const Tensor nothing = align(leaf, padded, IndexTensor(Shape{B, S + 1})).context;
    CHECK(nothing.values() == Values(B * T * H, 0));
    CHECK(grad({sum(nothing)}, {leaf})[0].values() == Values(B * T * H, 0));
  }
}

TEST_CASE("alignment: location does not see the source, the others not its order") {
  const Tensor s = drawn({B, T, H}, 1), h = drawn({B, S, H}, 2);
  const Tensor turned = concat({slice(h, 1, 1), slice(h, 1, 0, 1)}, 1);
  for (const AlignmentKind kind : all_kinds()) {
    CAPTURE(name_of(kind));
    const Alignment align = made(kind);
    if (kind == AlignmentKind::kLocation) {
      CHECK(align(s, h).weights.values() == align(s, turned).weights.values());
    } else {
      CHECK_CLOSE(align(s, h).context, align(s, turned).context);
    }
  }
}

TEST_CASE("alignment: widths may differ where the score has a matrix between") {
  const Tensor s = drawn({B, T, H}, 1), h = drawn({B, S, 3}, 2);
  for (const AlignmentKind kind :
       {AlignmentKind::kAdditive, AlignmentKind::kLocation, AlignmentKind::kGeneral}) {
    CHECK(made(kind, 3)(s, h).context.shape() == Shape{B, T, 3});
  }
  CHECK_FAILS(made(AlignmentKind::kDot, 3), "dot needs states of one width, got 7 and 3");
  KeySequence keys(1);
  CHECK_FAILS(Alignment(AlignmentKind::kLocation, {.state = 3, .source = 3}, keys),
              "location needs the longest source's length");
  CHECK_FAILS(made(AlignmentKind::kLocation)(s, zeros({B, 8, H})),
              "a source of 8 is longer than the longest, 6");
  CHECK_FAILS(made(AlignmentKind::kDot)(s, drawn({B, S, H}, 2), indices({{1, 0}})),
              "needs a mask [B, S], got h [2, 5, 7] and mask [1, 2]");
  CHECK_FAILS(made(AlignmentKind::kDot)(s, zeros({3, S, H})), "got s [2, 3, 7] and h [3, 5, 7]");
}

#ifdef GRADUS_DOUBLE
TEST_CASE("alignment: gradients by finite differences, of parameters too") {
  for (const AlignmentKind kind : all_kinds()) {
    CAPTURE(name_of(kind));
    Alignment align = made(kind);
    std::vector<Shape> shapes{{B, T, H}, {B, S, H}};
    for (const NamedTensor& parameter : parameters(align)) {
      shapes.push_back(parameter.tensor.shape());
    }
    check_gradient(
        [&](const Tensors& x) {
          std::size_t next = 2;
          visit_parameters(align, [&](const std::string&, Tensor& p) { p = x[next++]; });
          const auto [weights, context] = align(x[0], x[1]);
          return concat({weights, context}, -1);
        },
        shapes);
  }
}
#endif
