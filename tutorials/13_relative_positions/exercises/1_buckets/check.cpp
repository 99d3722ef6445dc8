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
  const auto far = [=](Index away, double top, bool hold) {
    const double share = std::log(double(away) / double(exact)) / top;
    const Index bucket = exact + Index(share * double(side - exact));
    return hold ? std::min(bucket, side - 1) : bucket;
  };
  const double top = std::log(double(most) / double(exact));
  const auto by = [=](double top, bool hold, bool abs, bool twice) {
    return [=](Index d) {
      const Index away = both || abs ? std::abs(d) : std::max<Index>(-d, 0);
      return (twice && both && d > 0 ? side : 0) + (away < exact ? away : far(away, top, hold));
    };
  };
  const pocket::IndexTensor got = pocket::distance_buckets(queries, keys, both, buckets, most);
  const gradus::Tensor mine =
      table(queries, keys, [&, i = 0](Index) mutable { return got.data()[i++]; });
  gradus::expect(
      what, mine, table(queries, keys, by(top, true, false, true)),
      {{table(queries, keys, by(top, false, false, true)),
        "beyond max_distance all share the last bucket of their side: it must not go on"},
       {table(queries, keys, by(top, true, true, true)),
        "one way: a later key counts as distance 0"},
       {table(queries, keys, by(top, true, false, false)),
        "both ways: later keys have the second half of the buckets"},
       {table(queries, keys, by(std::log(double(most)), true, false, true)),
        "the logarithm runs from `exact` to max_distance"},
       {table(queries, keys,
              [=](Index d) {
                return std::min(both ? std::abs(d) : std::max<Index>(-d, 0), side - 1);
              }),
        "far distances share buckets: their number grows with the logarithm"}});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at("one way, near", 6, 6, false, 32, 128);
    check_at("one way, 1 query and 2000 keys", 1, 2000, false, 32, 128);
    check_at("both ways, 300 queries and 300 keys", 300, 300, true, 32, 128);
    check_at("16 buckets up to 40", 2, 90, false, 16, 40);
  });
}
