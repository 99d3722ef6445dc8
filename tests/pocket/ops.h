/// @file
/// Every op of pocket's engine, with shapes that have an extra axis, a missing axis and an axis of
/// size 1.
#pragma once

#include <functional>

#include "engine.h"

namespace pocket {

struct OpCase {
  std::string name;
  std::function<Tensor(const std::vector<Tensor>&)> f;
  std::vector<Shape> shapes;
};

inline std::vector<OpCase> op_cases() {
  using In = const std::vector<Tensor>&;
  const IndexTensor tokens = indices({{2, 0, 2}, {4, 1, 2}});
  const IndexTensor some = indices({{1, -100, 0}, {4, 2, 2}});
  return {
      {"add", [](In x) { return x[0] + x[1]; }, {{2, 3, 5}, {3, 1}}},
      {"sub", [](In x) { return x[0] - x[1]; }, {{3, 1}, {2, 3, 5}}},
      {"mul", [](In x) { return x[0] * x[1] * x[0]; }, {{2, 1, 5}, {3, 1}}},
      {"div", [](In x) { return x[0] / (x[1] + 3); }, {{2, 3}, {3}}},
      {"numbers", [](In x) { return 2 - (3 * x[0] - 1) * 5 / 7 + (1 + x[0]); }, {{2, 3}}},
      {"neg", [](In x) { return -x[0]; }, {{}}},
      {"pow", [](In x) { return pow(x[0], 3); }, {{7}}},
      {"sqrt", [](In x) { return sqrt(x[0] * x[0] + 1); }, {{7}}},
      {"exp", [](In x) { return exp(x[0]); }, {{7}}},
      {"log", [](In x) { return log(x[0] + 3); }, {{7}}},
      {"tanh", [](In x) { return tanh(x[0]); }, {{7}}},
      {"sigmoid", [](In x) { return sigmoid(x[0]); }, {{7}}},
      {"relu", [](In x) { return relu(x[0]); }, {{7}}},
      {"gelu", [](In x) { return gelu(x[0] * 2); }, {{7}}},
      {"matmul", [](In x) { return matmul(x[0], x[1]); }, {{2, 3}, {3, 5}}},
      {"matmul b", [](In x) { return matmul(x[0], x[1], {.b = true}); }, {{2, 3}, {5, 3}}},
      {"matmul a", [](In x) { return matmul(x[0], x[1], {.a = true}); }, {{3, 2}, {3, 5}}},
      {"matmul a b",
       [](In x) { return matmul(x[0], x[1], {.a = true, .b = true}); },
       {{3, 2}, {5, 3}}},
      {"matmul batches",
       [](In x) { return matmul(x[0], x[1], {.b = true}); },
       {{2, 3, 5, 7}, {2, 3, 2, 7}}},
      {"matmul rows", [](In x) { return matmul(x[0], x[1]); }, {{2, 3, 5}, {5, 7}}},
      {"matmul rows b", [](In x) { return matmul(x[0], x[1], {.b = true}); }, {{2, 3, 5}, {7, 5}}},
      {"sum", [](In x) { return sum(x[0] * x[0]); }, {{2, 3}}},
      {"sum axis", [](In x) { return sum(x[0], 0) + sum(x[0], -2, {.keepdim = true}); }, {{2, 3}}},
      {"mean", [](In x) { return mean(x[0]) + mean(x[0], -1); }, {{2, 3}}},
      {"reshape",
       [](In x) {
         return reshape(x[0], {3, -1});
       },
       {{2, 3, 5}}},
      {"permute",
       [](In x) {
         return permute(x[0], {1, 2, 0});
       },
       {{2, 3, 5}}},
      {"slice", [](In x) { return slice(x[0], 1, 1, -1) * slice(x[0], -2, 2); }, {{2, 5, 3}}},
      {"split", [](In x) { return split(x[0], 3, -1)[1]; }, {{2, 6}}},
      {"concat",
       [](In x) {
         return concat({x[0], x[1], x[0]}, 1);
       },
       {{2, 3, 5}, {2, 1, 5}}},
      {"softmax", [](In x) { return softmax(x[0]); }, {{2, 3, 5}}},
      {"log_softmax", [](In x) { return log_softmax(x[0] * 50); }, {{2, 5}}},
      {"embedding", [=](In x) { return embedding(tokens, x[0]); }, {{5, 7}}},
      {"cross_entropy", [=](In x) { return cross_entropy(x[0], some) * 3; }, {{2, 3, 5}}},
      {"dropout", [](In x) { return dropout(x[0], Scalar(0.4), {.seed = 3}); }, {{2, 3, 5}}},
      {"layer_norm", [](In x) { return layer_norm(x[0], x[1], x[2]); }, {{2, 3, 5}, {5}, {5}}},
      {"rms_norm", [](In x) { return rms_norm(x[0], x[1]); }, {{2, 3, 5}, {5}}},
      {"silu", [](In x) { return silu(x[0] * 2); }, {{7}}},
  };
}

}  // namespace pocket
