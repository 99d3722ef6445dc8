#include "pocket/recurrent.h"
#include "tutorials/common/guards.h"

namespace {

using namespace pocket;

const char* const kNames[] = {"cosine", "additive", "location", "general", "dot", "scaled dot"};

/// Scores element by element.
Tensor by_loops(const Alignment& x, const Tensor& s, const Tensor& h) {
  const Index targets = s.size(1), sources = h.size(1), width = s.size(2);
  Tensor e({s.size(0), targets, sources});
  for (Index i = 0; i < e.size(); ++i) {
    const Index b = i / (targets * sources), t = i / sources % targets, j = i % sources;
    const Scalar *p = s.data() + (b * targets + t) * width,
                 *q = h.data() + (b * sources + j) * width;
    double dot = 0, pp = 0, qq = 0, general = 0, additive = 0, location = 0;
    for (Index c = 0; c < width; ++c) {
      dot += p[c] * q[c], pp += p[c] * p[c], qq += q[c] * q[c];
      double of_s = 0, of_h = 0;
      for (Index k = 0; k < width; ++k) {
        if (x.kind == AlignmentKind::kGeneral) {
          general += p[k] * x.state.weight.data()[k * width + c] * q[c];
        }
        if (x.kind == AlignmentKind::kAdditive) {
          of_s += p[k] * x.state.weight.data()[k * width + c];
          of_h += q[k] * x.source.weight.data()[k * width + c];
        }
      }
      if (x.kind == AlignmentKind::kAdditive) {
        additive += std::tanh(of_s + of_h) * x.v.weight.data()[c];
      }
      if (x.kind == AlignmentKind::kLocation) {
        location += p[c] * x.state.weight.data()[c * x.state.weight.size(1) + j];
      }
    }
    double y = 0;
    switch (x.kind) {
      case AlignmentKind::kCosine:
        y = dot / std::sqrt(pp) / std::sqrt(qq) * std::exp(x.log_beta.item());
        break;
      case AlignmentKind::kAdditive:
        y = additive;
        break;
      case AlignmentKind::kLocation:
        y = location;
        break;
      case AlignmentKind::kGeneral:
        y = general;
        break;
      case AlignmentKind::kDot:
        y = dot;
        break;
      case AlignmentKind::kScaledDot:
        y = dot / std::sqrt(double(width));
        break;
    }
    e.mutable_data()[i] = Scalar(y);
  }
  return e;
}

void ask(AlignmentKind kind, Index rows, Index targets, Index sources, Index width, Scalar scale) {
  KeySequence keys(11);
  Alignment alignment(kind, width, 7, keys);
  if (kind == AlignmentKind::kCosine) alignment.log_beta = scalar(Scalar(0.7)).set_requires_grad();
  const Tensor s = normal({rows, targets, width}, keys.next(), 0, scale);
  const Tensor h = normal({rows, sources, width}, keys.next(), 0, scale);
  const int k = static_cast<int>(kind);
  const std::string what = std::string(kNames[k]) + ", T = " + std::to_string(targets) +
                           ", S = " + std::to_string(sources) + ", H = " + std::to_string(width) +
                           ", states of about " + std::to_string(int(scale));
  const Tensor got =
      gradus::unchanged<Tensor>(what, {s, h}, [&] { return alignment.scores(s, h); });
  const Tensor right = by_loops(alignment, s, h);
  const double most = gradus::scale_of(right);
  gradus::expect(what, gradus::as_library(got), gradus::as_library(right), "", 1e-4 * most);
  if (!got.requires_grad() && k <= 3) {
    gradus::red(what + ": no gradient reaches the parameters\nlikely cause: it is cut: a detach()");
  }
}

/// The gradients of states and parameters, against differences of by_loops().
void ask_gradients(AlignmentKind kind) {
  KeySequence keys(12);
  Alignment alignment(kind, 3, 5, keys);
  Tensor s = normal({2, 2, 3}, keys.next()).set_requires_grad();
  Tensor h = normal({2, 4, 3}, keys.next()).set_requires_grad();
  const Tensor dy = normal({2, 2, 4}, keys.next());
  const std::string what = std::string(kNames[static_cast<int>(kind)]) + ": gradients";
  const Tensor got = alignment.scores(s, h);
  if (!got.requires_grad()) gradus::red(what + "\nlikely cause: they are cut: a detach()");
  backward(got, dy);
  std::vector<NamedTensor> all = parameters(alignment);
  all.push_back({"s", s});
  if (kind != AlignmentKind::kLocation) all.push_back({"h", h});
  for (NamedTensor& x : all) {
    const Tensor grad = x.tensor.grad().defined() ? x.tensor.grad() : zeros(x.tensor.shape());
    const auto weighted = [&](Index i, Scalar step) {
      const Scalar before = x.tensor.data()[i];
      x.tensor.mutable_data()[i] = before + step;
      const Tensor e = by_loops(alignment, s, h);
      x.tensor.mutable_data()[i] = before;
      double total = 0;
      for (Index k = 0; k < e.size(); ++k) total += double(e.data()[k]) * dy.data()[k];
      return total;
    };
    for (Index i = 0; i < grad.size(); ++i) {
      const double right = (weighted(i, 0.01F) - weighted(i, -0.01F)) / 0.02;
      if (std::abs(grad.data()[i] - right) <= 0.01 + 0.01 * std::abs(right)) continue;
      gradus::red(what + ": that of " + x.name + " has " + std::to_string(grad.data()[i]) +
                  " at offset " + std::to_string(i) + ", expected " + std::to_string(right) +
                  "\nlikely cause: it is cut: a detach()");
    }
  }
}

}  // namespace

int main() {
  return gradus::run_check([] {
    for (int k = 0; k < 6; ++k) {
      const auto kind = static_cast<AlignmentKind>(k);
      ask(kind, 1, 2, 3, 4, 1);
      ask(kind, 3, 1, 5, 2, 1);
      ask(kind, 2, 4, 7, 3, 100);
      ask_gradients(kind);
    }
    KeySequence keys(1);
    const Alignment cosine(AlignmentKind::kCosine, 2, 3, keys);
    gradus::must_be_finite("cosine of a state of zeros",
                           cosine.scores(zeros({1, 1, 2}), ones({1, 3, 2})),
                           "0 / 0: unit() keeps that finite");
  });
}
