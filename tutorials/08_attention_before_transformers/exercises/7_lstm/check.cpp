#include "tutorials/08_attention_before_transformers/exercises.h"
#include "tutorials/common/compare.h"

namespace {

/// The gates from tanh: sigmoid(x) = (1 + tanh(x / 2)) / 2.
LstmState by_tanh(const std::vector<Tensor>& sums, const Tensor& cell) {
  const auto gate = [](const Tensor& x) { return (tanh(x / Scalar(2)) + Scalar(1)) / Scalar(2); };
  const Tensor kept = cell * gate(sums[0]), added = tanh(sums[3]) * gate(sums[1]);
  const Tensor c = kept + added;
  return {tanh(c) * gate(sums[2]), c};
}

void ask(Index rows, Index hidden, Scalar size, std::uint64_t seed) {
  KeySequence keys(seed);
  std::vector<Tensor> sums;
  for (int part = 0; part < 4; ++part) {
    sums.push_back(normal({rows, 1, hidden}, keys.next(), 0, size).set_requires_grad());
  }
  Tensor cell = normal({rows, 1, hidden}, keys.next(), 0, 2).set_requires_grad();
  const std::string what = std::to_string(rows) + " rows, H = " + std::to_string(hidden) +
                           ", sums of about " + std::to_string(int(size));
  std::vector<Tensor> inputs = sums;
  inputs.push_back(cell);
  const auto both = [](const LstmState& state) { return concat({state.h, state.c}, 1); };
  const auto mine = [&] {
    const LstmState state = lstm_step(sums, cell);
    if (!state.h.defined() || !state.c.defined()) gradus::red(what, ": h or c is an empty tensor");
    return state;
  };
  const LstmState right = by_tanh(sums, cell);
  const Tensor got = gradus::unchanged<Tensor>(what, inputs, [&] {
    const LstmState state = mine();
    gradus::expect(what + ", the cell c", gradus::as_library(state.c), gradus::as_library(right.c));
    gradus::expect(what + ", the state h", gradus::as_library(state.h),
                   gradus::as_library(right.h));
    return both(state);
  });
  std::vector<NamedTensor> leaves{{"the cell", cell}};
  for (int part = 0; part < 4; ++part) {
    leaves.push_back({"part " + std::to_string(part) + " of sums", sums[part]});
  }
  compare_gradients(what, leaves, got, both(right));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask(2, 3, 1, 31);
    ask(3, 5, 10, 32);
    ask(1, 1, 1, 33);
  });
}
