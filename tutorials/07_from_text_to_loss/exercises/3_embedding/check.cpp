#include "autograd/graph.h"
#include "autograd/ops/index.h"
#include "tutorials/common/own.h"

namespace {

using gradus::Index, gradus::Tensor;

void ask(const std::string& what, const gradus::IndexTensor& tokens, Index rows, Index width,
         gradus::Scalar scale) {
  Tensor table = gradus::normal({rows, width}, {.seed = 1}).set_requires_grad();
  std::vector<Index> sizes(tokens.shape().begin(), tokens.shape().end());
  sizes.push_back(width);
  const Tensor dy = gradus::normal(gradus::Shape(std::span(sizes)), {.seed = 2}, 0, scale);
  backward(sum(gradus::embedding(tokens, table) * dy));
  pocket::Tensor mine = own(table.detach()).set_requires_grad();
  const pocket::Tensor dy_mine = own(dy);
  gradus::unchanged<pocket::Tensor>(what, {mine, dy_mine}, [&] {
    pocket::backward(pocket::embedding(own(tokens), mine), dy_mine);
    return 0;
  });
  const Tensor got = gradus::as_library(mine.grad());
  gradus::expect(what, got, table.grad(), "", 1e-4 * double{std::max(scale, 1.0F)});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("tokens that differ", gradus::indices({3, 0, 2}), 4, 2, 1);
    ask("a token three times, and one never", gradus::indices({{0, 2, 0}, {0, 3, 2}}), 4, 3, 1);
    ask("vectors of one number, gradients of about 10000", gradus::indices({1, 1, 4, 0, 1}), 5, 1,
        1e4F);
    gradus::IndexTensor many({4, 50});
    for (Index i = 0; i < many.size(); ++i) many.mutable_data()[i] = int(i * i % 61);
    ask("200 tokens, vectors of 100", many, 61, 100, 1);
    ask("one token", gradus::indices({6}), 7, 5, 1);
    ask("one token, once more", gradus::indices({6}), 7, 5, 1);
  });
}
