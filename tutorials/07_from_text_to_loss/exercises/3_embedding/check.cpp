#include "autograd/ops/index.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/own_indices.h"

namespace {

using gradus::Index;

void ask(const std::string& what, const gradus::IndexTensor& tokens, Index rows, Index width,
         gradus::Scalar scale) {
  compare(
      what, {gradus::normal({rows, width}, {.seed = 1}, 0, scale)},
      [&](const auto& x) { return pocket::embedding(own(tokens), x[0]); },
      [&](const auto& x) { return gradus::embedding(tokens, x[0]); });
}

}  // namespace

CHECK_ANSWER() {
  ask("tokens that differ", gradus::indices({3, 0, 2}), 4, 2, 1);
  ask("a token three times, and one never", gradus::indices({{0, 2, 0}, {0, 3, 2}}), 4, 3, 1);
  ask("vectors of one number, gradients of about 10000", gradus::indices({1, 1, 4, 0, 1}), 5, 1,
      1e4F);
  gradus::IndexTensor many({4, 50});
  for (Index i = 0; i < many.size(); ++i) many.mutable_data()[i] = int(i * i % 61);
  ask("200 tokens, vectors of 100", many, 61, 100, 1);
  ask("one token", gradus::indices({6}), 7, 5, 1);
  ask("one token, once more", gradus::indices({6}), 7, 5, 1);
}
