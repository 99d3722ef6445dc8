#include "autograd/ops/attention.h"
#include "pocket/attention.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/own_indices.h"

using namespace gradus;

CHECK_ANSWER() {
  const IndexTensor mask = indices({{1, 1, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}});
  for (const Scalar scale : {1, 100}) {
    compare(
        "weights under a mask, scores of about " + std::to_string(int(scale)),
        {normal({3, 4}, {.seed = 1}, 0, scale), normal({4, 4}, {.seed = 2})},
        [&](const auto& x) { return pocket::attention_weights(x[0], x[1], {.mask = own(mask)}); },
        [&](const auto& x) { return attention_weights(x[0], x[1], {.mask = mask}); });
  }
}
