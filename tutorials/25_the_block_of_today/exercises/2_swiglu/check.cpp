#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "pocket/llama.h"
#include "tutorials/common/compare.h"

namespace {

void check_at(const std::string& what, const gradus::Shape& shape, gradus::Index hidden,
              std::uint64_t seed, gradus::Scalar scale) {
  const gradus::Index channels = shape[-1];
  const gradus::Tensor x = gradus::normal(shape, {.seed = seed}, 0, scale);
  const gradus::Tensor gate = gradus::normal({channels, hidden}, {.seed = seed + 1});
  const gradus::Tensor up = gradus::normal({channels, hidden}, {.seed = seed + 2});
  const gradus::Tensor down = gradus::normal({hidden, channels}, {.seed = seed + 3});
  compare(
      what, {x, gate, up, down},
      [&](const std::vector<pocket::Tensor>& x) {
        pocket::SwiGlu network;
        network.gate_proj.weight = x[1], network.up_proj.weight = x[2];
        network.down_proj.weight = x[3];
        return network(x[0]);
      },
      [&](const auto& x) {
        return matmul(gradus::silu(matmul(x[0], x[1])) * matmul(x[0], x[2]), x[3]);
      });
}

}  // namespace

CHECK_ANSWER() {
  check_at("[2, 4], 3 hidden channels", {2, 4}, 3, 1, 1);
  check_at("[2, 3, 5], 7 hidden channels", {2, 3, 5}, 7, 5, 1);
  check_at("small numbers", {3, 4}, 5, 9, gradus::Scalar(0.01));
  check_at("large numbers", {3, 4}, 6, 13, 30);
}
