#include "pocket/recurrent.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

const char* const kNames[] = {"cosine", "additive", "location", "general", "dot", "scaled dot"};

/// Scores by sums over products of elements.
Tensor by_elements(const Alignment& x, const Tensor& s, const Tensor& h) {
  const auto sum_of = [](const Tensor& y) { return sum(y, -1); };
  const auto beside_h = [](const Tensor& y) { return reshape(y, {y.size(0), y.size(1), 1, -1}); };
  const auto beside_s = [](const Tensor& y) { return reshape(y, {y.size(0), 1, y.size(1), -1}); };
  const Tensor p = beside_h(s), q = beside_s(h), dots = sum_of(p * q);
  switch (x.kind) {
    case AlignmentKind::kCosine:
      return dots * pow(sum_of(p * p) * sum_of(q * q), -0.5) * exp(x.log_beta);
    case AlignmentKind::kAdditive:
      return sum_of(
          tanh(beside_h(matmul(s, x.state.weight)) + beside_s(matmul(h, x.source.weight))) *
          reshape(x.v.weight, {-1}));
    case AlignmentKind::kLocation:
      return slice(matmul(s, x.state.weight), -1, 0, h.size(1));
    case AlignmentKind::kGeneral:
      return sum_of(beside_h(matmul(s, x.state.weight)) * q);
    case AlignmentKind::kDot:
      return dots;
    default:
      return dots / std::sqrt(Scalar(s.size(2)));
  }
}

void ask(AlignmentKind kind, Index rows, Index targets, Index sources, Index width, Scalar scale) {
  KeySequence keys(11);
  Alignment alignment(kind, width, 7, keys);
  if (kind == AlignmentKind::kCosine) alignment.log_beta = scalar(Scalar(0.7)).set_requires_grad();
  const Tensor s = normal({rows, targets, width}, keys.next(), 0, scale).set_requires_grad();
  const Tensor h = normal({rows, sources, width}, keys.next(), 0, scale).set_requires_grad();
  const std::string what =
      gradus::detail::text(kNames[static_cast<int>(kind)], ", T = ", targets, ", S = ", sources,
                           ", H = ", width, ", states of about ", scale);
  std::vector<NamedTensor> leaves = parameters(alignment);
  leaves.push_back({"s", s});
  if (kind != AlignmentKind::kLocation) leaves.push_back({"h", h});
  compare(
      what, leaves, [&] { return alignment.scores(s, h); },
      [&] { return by_elements(alignment, s, h); });
}

}  // namespace

CHECK_ANSWER() {
  for (int k = 0; k < 6; ++k) {
    const auto kind = static_cast<AlignmentKind>(k);
    ask(kind, 1, 2, 3, 4, 1);
    ask(kind, 3, 1, 5, 2, 1);
    ask(kind, 2, 4, 7, 3, 100);
  }
  KeySequence keys(1);
  const Alignment cosine(AlignmentKind::kCosine, 2, 3, keys);
  gradus::must_be_finite("cosine of a state of zeros",
                         cosine.scores(zeros({1, 1, 2}), ones({1, 3, 2})),
                         "0 / 0: unit() keeps that finite");
}
