// Exercise 11.2, 5 minutes: one layer later.
//
// "Good night" is padded on the left, and both masks are on, so the first two queries have no key.
// Here are two layers of self-attention whose queries, keys and values are the layer's input, with
// three softmaxes. Before you run it, write down for each softmax: which of the four rows are NaN
// after one layer, and which after two? And with -1e9, are "Good" and "night" right in the end, as
// they would be without any padding?
#include <cstdio>

#include "tutorials/pocket/attention.h"

using namespace pocket;

const std::vector<std::vector<bool>> kVisible = {{false, false, false, false},
                                                 {false, false, false, false},
                                                 {false, false, true, false},
                                                 {false, false, true, true}};

/// softmax(scores + mask), by the formula, where the mask is 0 or `hidden`.
Tensor by_the_formula(const Tensor& scores, Scalar hidden) {
  Tensor weights(scores.shape());
  for (Index t = 0; t < 4; ++t) {
    Scalar* row = weights.mutable_data() + t * 4;
    for (Index s = 0; s < 4; ++s) {
      row[s] = scores.data()[t * 4 + s] + (kVisible[t][s] ? 0 : hidden);
    }
    const Scalar largest = *std::max_element(row, row + 4);
    Scalar sum = 0;
    for (Index s = 0; s < 4; ++s) sum += row[s] = std::exp(row[s] - largest);
    for (Index s = 0; s < 4; ++s) row[s] /= sum;
  }
  return weights;
}

Tensor by_pocket(const Tensor& scores) {
  Tensor mask({4, 4});
  for (Index i = 0; i < 16; ++i) {
    mask.mutable_data()[i] = kVisible[i / 4][i % 4] ? 0 : -INFINITY;
  }
  return softmax(scores + mask);
}

void print(Scalar x) { std::isnan(x) ? std::printf("    nan") : std::printf(" %6.2f", double{x}); }

int main() {
  const Tensor x = tensor({{1, 1}, {-1, 1}, {2, 1}, {0, 2}});  // - - Good night
  Tensor pocket = x, formula = x, billion = x;
  Tensor alone = slice(x, 0, 2);  // Good night, without padding
  for (int layers = 1; layers <= 2; ++layers) {
    const auto scores = [](const Tensor& y) { return matmul(y, y, {.b = true}); };
    const Tensor causal = hide(indices({{1, 0}, {1, 1}}));
    alone = matmul(softmax(scores(alone) + causal), alone);
    pocket = matmul(by_pocket(scores(pocket)), pocket);
    formula = matmul(by_the_formula(scores(formula), -INFINITY), formula);
    billion = matmul(by_the_formula(scores(billion), Scalar(-1e9)), billion);
    std::printf("%d layer%s  alone  pocket   -inf   -1e9\n", layers, layers == 1 ? " " : "s");
    const char* names[] = {"-", "-", "Good", "night"};
    for (Index t = 0; t < 4; ++t) {
      std::printf("%-8s", names[t]);
      t < 2 ? void(std::printf("       ")) : print(alone.data()[2 * t - 4]);
      for (const Tensor* y : {&pocket, &formula, &billion}) print(y->data()[2 * t]);
      std::printf("\n");
    }
  }
}
