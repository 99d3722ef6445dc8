#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

using pocket::Index;

/// The bucket of each distance, by a function of how far back the key is and of whether it is
/// later.
gradus::Tensor table(Index queries, Index keys, const std::function<Index(Index)>& bucket) {
  gradus::Tensor y({queries, keys});
  for (Index i = 0; i < queries * keys; ++i) {
    y.mutable_data()[i] = gradus::Scalar(bucket(i % keys - (i / keys + keys - queries)));
  }
  return y;
}

void check_at(const std::string& what, Index queries, Index keys, bool both, Index buckets,
              Index most) {
  const Index side = both ? buckets / 2 : buckets, exact = side / 2;
  const double top = std::log(double(most) / double(exact));
  const auto bucket = [=](Index d) {
    const Index away = both ? std::abs(d) : std::max<Index>(-d, 0);
    const double share = std::log(double(away) / double(exact)) / top;
    const Index far = std::min(exact + Index(share * double(side - exact)), side - 1);
    return (both && d > 0 ? side : 0) + (away < exact ? away : far);
  };
  const pocket::IndexTensor got = pocket::distance_buckets(queries, keys, both, buckets, most);
  const gradus::Tensor mine =
      table(queries, keys, [&, i = 0](Index) mutable { return got.data()[i++]; });
  gradus::expect(what, mine, table(queries, keys, bucket));
}

}  // namespace

CHECK_ANSWER() {
  check_at("one way, near", 6, 6, false, 32, 128);
  check_at("one way, 1 query and 2000 keys", 1, 2000, false, 32, 128);
  check_at("both ways, 300 queries and 300 keys", 300, 300, true, 32, 128);
  check_at("16 buckets up to 40", 2, 90, false, 16, 40);
}
