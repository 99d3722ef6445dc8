#include "pocket/recurrent.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

Tensor gru(const RecurrentLayer& layer, const Tensor& x, const Tensor& state) {
  const std::vector<Tensor> a = split(x, 3, -1), b = split(layer.hh(state), 3, -1);
  const Tensor reset = sigmoid(a[0] + b[0]), keep = sigmoid(a[1] + b[1]);
  const Tensor value = tanh(a[2] + reset * b[2]);
  return value + keep * (state - value);
}

void ask(Index rows, Index hidden, Scalar scale) {
  KeySequence keys(3);
  const RecurrentLayer layer(RecurrentKind::kGru, 2, hidden, keys);
  const Tensor x = normal({rows, 1, 3 * hidden}, keys.next(), 0, scale).set_requires_grad();
  const Tensor state = normal({rows, 1, hidden}, keys.next()).set_requires_grad();
  compare(
      gradus::detail::text(rows, " rows, H = ", hidden, ", inputs of about ", scale),
      std::vector<NamedTensor>{{"the input", x}, {"the state", state}},
      [&] { return layer.step_from(x, state); }, [&] { return gru(layer, x, state); });
}

}  // namespace

CHECK_ANSWER() {
  ask(1, 3, 1);
  ask(4, 2, 1);
  ask(2, 5, 10000);
}
