#include "tutorials/common/check.h"

#include "tutorials/15_gpt/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library;
using gradus::red;

namespace {

void check_model(const std::string& what, std::uint64_t seed, Index v, Index c, Scalar spread,
                 const IndexTensor& tokens, const IndexTensor& targets) {
  const Tensor table = normal({v, c}, {.seed = seed}, 0, spread);
  const Tensor map = normal({c, c}, {.seed = seed + 1});
  Tensor reading = table.detach().set_requires_grad(), writing = table.detach().set_requires_grad();
  const Tensor h_of_leaf = tanh(matmul(embedding(tokens, reading), map));
  backward(cross_entropy(matmul(h_of_leaf, writing, {.b = true}), targets));
  const Tensor expected = reading.grad() + writing.grad();
  // What it comes to if a token's later position overwrites the earlier one, without the tanh's
  // slope, and with map for its transpose.
  const Index n = tokens.size();
  const Tensor h = h_of_leaf.detach();
  Tensor dlogits = softmax(matmul(h, table, {.b = true}));
  for (Index i = 0; i < n; ++i) dlogits.mutable_data()[i * v + targets.data()[i]] -= 1;
  const Tensor dh = matmul(dlogits / static_cast<Scalar>(n), table);
  const auto read_by = [&](const IndexTensor& rows_of, const Tensor& slope, bool add = true,
                           bool transposed = true) {
    const Tensor dx = matmul(dh * slope, map, {.b = transposed});
    Tensor rows = zeros({v, c});
    for (Index i = 0; i < n * c; ++i) {
      Scalar& to = rows.mutable_data()[rows_of.data()[i / c] * c + i % c];
      to = (add ? to : 0) + dx.data()[i];
    }
    return as_library(rows + writing.grad());
  };
  const Tensor x = embedding(tokens, table), slope = 1 - h * h;
  const Tensor over_n = dlogits / static_cast<Scalar>(n);
  // What it comes to if the writing half alone is made so.
  const auto written = [&](const Tensor& dlogits, const Tensor& of) {
    return as_library(reading.grad() + matmul(dlogits, of, {.a = true}));
  };
  const Tensor p = softmax(matmul(h, table, {.b = true})) / static_cast<Scalar>(n);
  const Index before = nodes_made;
  const Tensor got = gradus::unchanged<Tensor>(
      what, {table, map}, [&] { return tied_gradient(table, map, tokens, targets); });
  if (nodes_made != before) red(what + ": a leaf was made, for backward(); use formulas alone");
  // A row that no position reads has the writing half alone.
  bool writes_right = got.defined() && got.shape() == expected.shape();
  const double most = gradus::scale_of(expected);
  for (Index i = 0; writes_right && i < v * c; ++i) {
    const bool is_read = std::count(tokens.begin(), tokens.end(), std::int32_t(i / c)) > 0;
    writes_right = is_read || gradus::is_near(got.data()[i], expected.data()[i], 1e-4 * most);
  }
  gradus::must_be_finite(what, got, "softmax without subtracting the largest logit");
  gradus::expect(
      what, as_library(got), as_library(expected),
      {{as_library(writing.grad()),
        "only the output layer's part; the table is read as an embedding, too"},
       {as_library(reading.grad()), "only the embedding's part; the table makes the logits, too"},
       {as_library(expected / 2), "the mean of the two parts; gradients add up"},
       {read_by(tokens, slope, false),
        "a token that occurs twice was counted once: gradients add up"},
       {read_by(tokens, ones(h.shape())), "the slope of tanh is missing: 1 - h^2"},
       {read_by(tokens, 1 - x * x), "the slope of tanh is 1 - h^2: by its output, not by x"},
       {read_by(tokens, 1 - matmul(x, map) * matmul(x, map)),
        "the slope of tanh is 1 - h^2: by its output, not by x map"},
       {read_by(tokens, slope, true, false),
        "the way back through x map is a product with map^T, not with map"},
       {read_by(targets, slope),
        "row i of dx goes to the row of the token that was read, not to "
        "the row of its target"},
       {written(over_n, x), "the output layer reads h, not x: dlogits^T h"},
       {written(p, h), "dlogits is p - y: take 1 off at each target"},
       {written(over_n * static_cast<Scalar>(n), h),
        "N times too large in the writing half: the loss is a mean over N positions"},
       {as_library(expected * (static_cast<Scalar>(n) / static_cast<Scalar>(v))),
        "the loss is a mean over N positions, not over the V tokens of the vocabulary"},
       {as_library(expected * static_cast<Scalar>(n)),
        "N times too large: the loss is a mean over N positions"},
       {as_library(got),
        writes_right
            ? "the rows of tokens that nothing reads are right, so dlogits^T h is; look at "
              "dh, at dx, and at the rows that dx goes to"
            : "the rows of tokens that nothing reads are wrong: these have dlogits^T h "
              "alone, so begin with it"}},
      1e-4 * most);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_model("five tokens, one of them twice", 1, 6, 4, 1, indices({2, 0, 2, 5, 1}),
                indices({0, 2, 5, 1, 3}));
    check_model("another table, one token only", 5, 4, 3, 1, indices({3, 3, 3}),
                indices({3, 0, 3}));
    check_model("logits of some hundred", 9, 5, 7, 100, indices({1, 4}), indices({2, 2}));
  });
}
