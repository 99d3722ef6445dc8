#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

using pocket::Index;

void check_at(int heads, Index queries, Index keys) {
  gradus::Tensor right({heads, queries, keys});
  for (Index i = 0; i < right.size(); ++i) {
    const Index t = i / keys % queries + keys - queries, s = i % keys;
    const double h = static_cast<double>(i / keys / queries + 1);
    right.mutable_data()[i] =
        gradus::Scalar(-std::exp2(-8.0 * h / heads) * double(std::abs(s - t)));
  }
  gradus::expect(std::to_string(heads) + " heads, " + std::to_string(queries) + " queries, " +
                     std::to_string(keys) + " keys",
                 gradus::as_library(pocket::alibi_bias(heads, queries, keys)), right);
}

}  // namespace

CHECK_ANSWER() {
  check_at(4, 5, 5);
  check_at(3, 2, 6);
  check_at(16, 1, 300);
}
