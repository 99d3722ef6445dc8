#include "tutorials/common/check.h"

#include "pocket/ops.h"

using namespace gradus;

namespace {

/// 1 where it holds of query t and key s.
template <class Holds>
Tensor mask_of(Index queries, Index keys, const Holds& holds) {
  Tensor mask(Shape{queries, keys});
  for (Index t = 0; t < queries; ++t)
    for (Index s = 0; s < keys; ++s) mask.mutable_data()[t * keys + s] = holds(t, s) ? 1 : 0;
  return mask;
}

}  // namespace

CHECK_ANSWER() {
  for (const auto& [queries, keys] :
       {std::pair<Index, Index>{4, 4}, {7, 7}, {1, 1}, {2, 5}, {1, 6}, {3, 4}}) {
    const Index before = keys - queries;
    expect(std::to_string(queries) + " queries, " + std::to_string(keys) + " keys",
           as_library(pocket::causal_mask(queries, keys)),
           mask_of(queries, keys, [&](Index t, Index s) { return s <= t + before; }));
  }
}
