#include "tutorials/common/check.h"

#include "tutorials/06_learning/exercises.h"

using gradus::expect, gradus::red;
using namespace pocket;

namespace {

Index alive = 0, most = 0;  // graphs
Index largest = 0;          // rows that a piece has

/// A mean loss by parameters w, and how many of its graphs exist at a time.
Tensor mean_loss(const Tensor& w, const Tensor& x) {
  const Tensor y = tanh(matmul(x, w));
  const Tensor loss = mean(y * y + y);
  const std::shared_ptr<int> count(new int, [](int* p) { --alive, delete p; });
  most = std::max(most, ++alive);
  return record("loss", Tensor(loss, {}), {loss},
                [count](const Tensor& dy) -> Gradients { return {dy}; });
}

void try_sizes(const std::vector<Index>& sizes, Scalar scale) {
  std::vector<Tensor> pieces;
  Index rows = 0;
  for (const Index n : sizes) rows += n;
  const Tensor x = normal({rows, 3}, {.seed = 1}, 0, scale);
  const Tensor start = normal({3, 2}, {.seed = 2}, 0, 1 / scale);
  Tensor w = (start * 1).set_requires_grad(), whole = (start * 1).set_requires_grad();
  Index begin = 0;
  std::string name = "pieces of";
  for (const Index n : sizes) {
    pieces.push_back(tensor({n, 3}, {x.begin() + begin * 3, x.begin() + (begin + n) * 3}));
    begin += n, name += " " + std::to_string(n);
  }
  backward(mean_loss(whole, x));
  most = 0;
  largest = *std::max_element(sizes.begin(), sizes.end());
  my_gradients(pieces, [&](const Tensor& piece) {
    if (piece.size(0) > largest) {
      red(name, ": mean_loss got ", piece.size(0),
          " rows, and memory has room for the largest piece alone, ", largest);
    }
    return mean_loss(w, piece);
  });
  if (!w.grad().defined()) red(name, ": the parameters have no gradient");
  expect(gradus::detail::text(name, ", numbers of about ", scale), gradus::as_library(w.grad()),
         gradus::as_library(whole.grad()), "", 1e-4 * scale);
  if (most > 1) {
    red(name, ": ", most,
        " graphs existed at a time\nlikely cause: losses were added up, and backward() came last");
  }
}

}  // namespace

CHECK_ANSWER() {
  try_sizes({4}, 1);
  try_sizes({4, 4}, 1);
  try_sizes({7, 2, 3}, 1);
  try_sizes({1, 10}, 1);
  try_sizes({7, 2, 3}, 1e4f);
}
