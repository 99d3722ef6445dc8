#include "pocket/recurrent.h"
#include "tutorials/common/guards.h"

namespace {

using namespace pocket;

Tensor gru(const RecurrentLayer& layer, const Tensor& x, const Tensor& state) {
  const std::vector<Tensor> a = split(x, 3, -1), b = split(layer.hh(state), 3, -1);
  const Tensor reset = sigmoid(a[0] + b[0]), keep = sigmoid(a[1] + b[1]);
  const Tensor value = tanh(a[2] + reset * b[2]);
  return value + keep * (state - value);
}

/// The next state, and the gradients of input and state, for a random weighting.
template <class F>
std::vector<Tensor> all_of(const Tensor& x, const Tensor& state, F next) {
  Tensor a = x.detach(), b = state.detach();
  const Tensor y = next(a.set_requires_grad(), b.set_requires_grad());
  if (y.requires_grad()) backward(y, normal(y.shape(), {.seed = 9}));
  const auto grad = [](const Tensor& t) {
    return t.grad().defined() ? t.grad() : zeros(t.shape());
  };
  return {y.detach(), grad(a), grad(b)};
}

void ask(Index rows, Index hidden, Scalar scale) {
  KeySequence keys(3);
  const RecurrentLayer layer(RecurrentKind::kGru, 2, hidden, keys);
  const Tensor x = normal({rows, 1, 3 * hidden}, keys.next(), 0, scale);
  const Tensor state = normal({rows, 1, hidden}, keys.next());
  const std::string what = std::to_string(rows) + " rows, H = " + std::to_string(hidden) +
                           ", inputs of about " + std::to_string(int(scale));
  const auto mine = gradus::unchanged<Tensor>(what, {x, state}, [&] {
    return all_of(x, state, [&](auto& a, auto& b) { return layer.step_from(a, b); });
  });
  const auto right = all_of(x, state, [&](auto& a, auto& b) { return gru(layer, a, b); });
  const auto as = [](const Tensor& t) { return gradus::as_library(t); };
  gradus::must_be_finite(what, mine[0]);
  gradus::expect(what, as(mine[0]), as(right[0]));
  gradus::expect(what + ": gradient of the input", as(mine[1]), as(right[1]),
                 gradus::kResultIsRight);
  gradus::expect(what + ": gradient of the state", as(mine[2]), as(right[2]),
                 gradus::kResultIsRight);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask(1, 3, 1);
    ask(4, 2, 1);
    ask(2, 5, 10000);
  });
}
