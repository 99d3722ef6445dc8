#include "autograd/ops/attention.h"
#include "pocket/attention.h"
#include "tutorials/common/compare.h"

namespace {

void check_at(const gradus::Shape& queries, const gradus::Shape& keys) {
  const auto q = gradus::normal(queries, {.seed = 1}, 0, 2);
  const auto k = gradus::normal(keys, {.seed = 2}, 0, 2);
  compare(
      gradus::detail::text("queries ", queries, ", keys ", keys), {q, k},
      [](const auto& x) { return pocket::attention_weights(x[0], x[1]); },
      [](const auto& x) { return gradus::attention_weights(x[0], x[1]); }, 30);
}

}  // namespace

CHECK_ANSWER() {
  check_at({3, 4}, {5, 4});
  check_at({2, 3, 3, 4}, {2, 3, 5, 4});
  check_at({2, 3, 2, 9}, {2, 3, 2, 9});
  check_at({2, 3, 4, 16}, {2, 3, 1, 16});
  check_at({2, 3, 2, 3}, {2, 3, 4, 3});
  check_at({2, 3, 3, 5}, {2, 3, 2, 5});
}
