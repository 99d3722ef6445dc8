#include "tutorials/15_gpt/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::red;

namespace {

void check_model(const std::string& what, std::uint64_t seed, Index v, Index c, Scalar spread,
                 const IndexTensor& tokens, const IndexTensor& targets) {
  const Tensor table = normal({v, c}, {.seed = seed}, 0, spread);
  const Tensor map = normal({c, c}, {.seed = seed + 1});
  Tensor reading = table.detach().set_requires_grad(), writing = table.detach().set_requires_grad();
  const Tensor h = tanh(matmul(embedding(tokens, reading), map));
  backward(cross_entropy(matmul(h, writing, {.b = true}), targets));
  const Tensor expected = reading.grad() + writing.grad();
  const Index before = nodes_made;
  const Tensor got = gradus::unchanged<Tensor>(
      what, {table, map}, [&] { return tied_gradient(table, map, tokens, targets); });
  if (nodes_made != before) red(what, ": a leaf was made, for backward(); use formulas alone");
  // A row that no position reads has the writing half alone.
  bool writes_right = got.defined() && got.shape() == expected.shape();
  const double most = gradus::scale_of(expected);
  for (Index i = 0; writes_right && i < v * c; ++i) {
    const bool is_read = std::count(tokens.begin(), tokens.end(), std::int32_t(i / c)) > 0;
    writes_right = is_read || gradus::is_near(got.data()[i], expected.data()[i], 1e-4 * most);
  }
  gradus::must_be_finite(what, got, "softmax without subtracting the largest logit");
  gradus::expect(what, as_library(got), as_library(expected),
                 writes_right ? "the rows of tokens that nothing reads are right, so dlogits^T h "
                                "is; look at dh, at dx, and at the rows that dx goes to"
                              : "the rows of tokens that nothing reads are wrong: these have "
                                "dlogits^T h alone, so begin with it",
                 1e-4 * most);
}

}  // namespace

CHECK_ANSWER() {
  check_model("five tokens, one of them twice", 1, 6, 4, 1, indices({2, 0, 2, 5, 1}),
              indices({0, 2, 5, 1, 3}));
  check_model("another table, one token only", 5, 4, 3, 1, indices({3, 3, 3}), indices({3, 0, 3}));
  check_model("logits of some hundred", 9, 5, 7, 100, indices({1, 4}), indices({2, 2}));
}
