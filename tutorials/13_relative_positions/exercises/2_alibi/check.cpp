#include "pocket/position.h"
#include "tutorials/common/compare.h"

namespace {

using pocket::Index;

gradus::Tensor table(int heads, Index queries, Index keys,
                     const std::function<double(int, Index)>& f) {
  gradus::Tensor y({heads, queries, keys});
  for (Index i = 0; i < y.size(); ++i) {
    const Index t = i / keys % queries + keys - queries, s = i % keys;
    y.mutable_data()[i] = gradus::Scalar(f(static_cast<int>(i / keys / queries) + 1, s - t));
  }
  return y;
}

void check_at(int heads, Index queries, Index keys) {
  const auto slope = [=](int h) { return std::exp2(-8.0 * h / heads); };
  const auto make = [&](const std::function<double(int, Index)>& f) {
    return table(heads, queries, keys, f);
  };
  gradus::expect(
      std::to_string(heads) + " heads, " + std::to_string(queries) + " queries, " +
          std::to_string(keys) + " keys",
      gradus::as_library(pocket::alibi_bias(heads, queries, keys)),
      make([&](int h, Index d) { return -slope(h) * double(std::abs(d)); }),
      {{make([&](int h, Index d) { return slope(h) * double(std::abs(d)); }),
        "the sign: far keys are to get less"},
       {make([&](int h, Index d) { return slope(h) * double(d); }), "take |t - s|"},
       {make([&](int h, Index d) { return -slope(h - 1) * double(std::abs(d)); }),
        "heads are counted from 1"},
       {make([&](int h, Index d) { return -std::exp(-8.0 * h / heads) * double(std::abs(d)); }),
        "slopes are powers of 2, not of e"},
       {make([&](int, Index d) { return -slope(1) * double(std::abs(d)); }),
        "each head has a slope of its own"},
       {make([&](int h, Index d) { return -slope(h) * double(std::min<Index>(std::abs(d), 40)); }),
        "the bias goes on falling with the distance: it has no end"},
       {make([&](int h, Index d) { return -std::exp2(-h) * double(std::abs(d)); }),
        "the exponent is -8 h / H"},
       {make([&](int h, Index d) { return -slope(h) * double(std::abs(d + (keys - queries))); }),
        "the queries are the last of the keys' positions"}});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    check_at(4, 5, 5);
    check_at(3, 2, 6);
    check_at(16, 1, 300);
  });
}
