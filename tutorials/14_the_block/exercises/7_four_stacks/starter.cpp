// Exercise 14.7: four stacks by their three numbers.
//
// 24 layers, forward and back. The right stack has pre-norm and Linear's own initial values. Each
// of four others differs from it in one thing: there are no norms; the norm comes after the sum;
// attention has no skip connection; the initial values are small. Which of them is A, B, C and D?
//
//         size of the vectors   share that differs   size of the gradient
//  right  5 to 6                0.4 to 0.5           4 to 10
//  A      1                     below 0.000001       0.5 to 6
//  B      2                     0.7 to 0.8           2
//  C      80000 to 300000       0.002 to 0.007       above 10000000
//  D      1                     0.0006 to 0.004      0.6 to 1
#include <algorithm>
#include <cstdio>

#include "tutorials/pocket/block.h"

using namespace pocket;

namespace {

enum class Stack { kRight, kNoNorm, kNormAfter, kNoSkip, kSmall };

double size_of(const Tensor& x) { return std::sqrt(mean(x * x).item()); }

void scale(Linear& linear, Scalar factor) {
  for (Index i = 0; i < linear.weight.size(); ++i) linear.weight.mutable_data()[i] *= factor;
}

Tensor layer(Stack stack, const Tensor& x, KeySequence& keys) {
  MultiHeadAttention attention(32, 4, keys, {});
  FeedForward network(32, 128, keys);
  if (stack == Stack::kSmall) {  // as PyTorch's nn.Linear
    for (Linear* each : {&attention.query, &attention.key, &attention.value, &attention.output,
                         &network.c_fc, &network.c_proj}) {
      scale(*each, 1 / std::sqrt(Scalar(3)));
    }
  }
  const LayerNorm norm(32);
  const auto attend = [&](const Tensor& x) { return attention(x, x); };
  if (stack == Stack::kNormAfter) {
    const Tensor h = norm(x + attend(x));
    return norm(h + network(h));
  }
  if (stack == Stack::kNoNorm) {
    const Tensor h = x + attend(x);
    return h + network(h);
  }
  const Tensor h = stack == Stack::kNoSkip ? attend(norm(x)) : x + attend(norm(x));
  return h + network(norm(h));
}

void run(const char* name, Stack stack) {
  std::vector<double> sizes, own, gradients;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    KeySequence keys(seed);
    const Tensor x = normal({2, 8, 32}, {.seed = seed}).set_requires_grad();
    Tensor y = x;
    for (int i = 0; i < 24; ++i) y = layer(stack, y, keys);
    backward(y, normal({2, 8, 32}, {.seed = 100 + seed}));
    sizes.push_back(size_of(y));
    own.push_back(size_of(y - mean(y, 1, {.keepdim = true})) / size_of(y));
    gradients.push_back(size_of(x.grad()));
  }
  std::printf("%-22s", name);
  for (const auto& seeds : {sizes, own, gradients}) {
    const auto [least, most] = std::minmax_element(seeds.begin(), seeds.end());
    std::printf("  %8.1g to %-8.1g", *least, *most);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  std::printf("%-24s%-22s%-22s%s\n", "", "size of the vectors", "share that differs",
              "size of the gradient");
  run("right", Stack::kRight);
  run("no norm", Stack::kNoNorm);
  run("norm after the sum", Stack::kNormAfter);
  run("attention without skip", Stack::kNoSkip);
  run("small initial values", Stack::kSmall);
}
