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
  const auto draw = [&](Scalar std) {
    return normal({rows, 1, hidden}, keys.next(), 0, std).set_requires_grad();
  };
  std::vector<Tensor> sums;
  std::vector<NamedTensor> leaves;
  for (int part = 0; part < 4; ++part) {
    sums.push_back(draw(size));
    leaves.push_back({"part " + std::to_string(part) + " of sums", sums[part]});
  }
  const Tensor cell = draw(2);
  leaves.push_back({"the cell", cell});
  const auto ask_for = [&](const std::string& part, Tensor LstmState::*result) {
    compare(
        gradus::detail::text(rows, " rows, H = ", hidden, ", sums of about ", size, part), leaves,
        [&] { return lstm_step(sums, cell).*result; }, [&] { return by_tanh(sums, cell).*result; });
  };
  ask_for(", the cell c", &LstmState::c);
  ask_for(", the state h", &LstmState::h);
}

}  // namespace

CHECK_ANSWER() {
  ask(2, 3, 1, 31);
  ask(3, 5, 10, 32);
  ask(1, 1, 1, 33);
}
