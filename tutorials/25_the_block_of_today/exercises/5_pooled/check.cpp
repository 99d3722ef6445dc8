#include "tutorials/25_the_block_of_today/exercises.h"
#include "tutorials/common/guards.h"

namespace {

void check_at(Index channels, Index heads, Index kv_heads, Index width, Scalar scale) {
  const std::string what = std::to_string(heads) + " heads to " + std::to_string(kv_heads) +
                           ", C " + std::to_string(channels) + ", D " + std::to_string(width);
  const Tensor weight = normal({channels, heads * width}, {.seed = 3}, 1, scale);
  const Tensor got =
      gradus::unchanged<Tensor>(what, {weight}, [&] { return pooled(weight, heads, kv_heads); });
  Tensor right(Shape{channels, kv_heads * width});
  const Index group = heads / kv_heads;
  for (Index i = 0; i < weight.size(); ++i) {
    const Index c = i / (heads * width), h = i / width % heads, d = i % width;
    right.mutable_data()[(c * kv_heads + h / group) * width + d] +=
        weight.data()[i] / static_cast<Scalar>(group);
  }
  gradus::expect(what, gradus::as_library(got), gradus::as_library(right), "", 1e-4 * scale);
}

}  // namespace

CHECK_ANSWER() {
  check_at(2, 4, 2, 3, 1);
  check_at(3, 6, 2, 2, 1);
  check_at(5, 6, 3, 1, 1);
  check_at(3, 4, 1, 2, 1e4);
  check_at(4, 3, 3, 2, 1);
}
