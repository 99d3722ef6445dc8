// Weights in bfloat16 and int8, against their definitions and against loops in double.
#include "autograd/ops/narrow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

constexpr WeightType kNarrowTypes[] = {WeightType::kBfloat16, WeightType::kInt8};

/// The nearest bfloat16 by its definition: 8 significant bits, ties to even.
double nearest_bf16(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // in [0.5, 1)
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

/// Returns "" if narrow_linear() computes x w^T, for x [m, k] and w [n, k], except for rounding in
/// its sums, and of x to 16 bits in products of few rows with int8.
std::string narrow_trouble(WeightType type, Index m, Index n, Index k) {
  const NarrowMatrix w(type, drawn({n, k}, 1));
  const Tensor x = drawn({m, k}, 0), wide = w.widened(), y = narrow_linear(x, w);
  if (y.shape() != Shape{m, n}) return text("the shape ", y.shape());
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      double sum = 0, size = 0, rounded = 0;
      for (Index first = 0; first < k; first += 32) {
        double most = 0, weights = 0;
        for (Index l = first; l < std::min(first + 32, k); ++l) {
          const double input = x.data()[i * k + l], weight = wide.data()[j * k + l];
          sum += input * weight;
          size += std::abs(input * weight);
          most = std::max(most, std::abs(input));
          weights += std::abs(weight);
        }
        rounded += most / 32767 / 2 * weights * (1 + 1e-6);
      }
      double bound = std::ldexp(static_cast<double>(k + 4) * size, kIsDouble ? -52 : -24);
      if (type == WeightType::kInt8 && m <= kFewRows) bound += rounded;
      const double got = y.data()[i * n + j];
      if (!(std::abs(got - sum) <= bound)) {
        return text("[", m, ", ", n, ", ", k, "] at ", i, ", ", j, ": ", got, " in place of ", sum);
      }
    }
  }
  return "";
}

}  // namespace

TEST_CASE("narrow: bfloat16 is the nearest, ties to even") {
  const Scalar unit = std::ldexp(Scalar(1), -7);  // between 1 and the next bfloat16
  const Tensor x =
      tensor({{0, 1, -1.5, 1 + unit / 2, 1 + 3 * unit / 2, -1 - unit * 0.501, 1e-30, -3.3e38}});
  const Tensor y = NarrowMatrix(WeightType::kBfloat16, x).widened();
  for (Index i = 0; i < x.size(); ++i)
    CHECK(y.data()[i] == nearest_bf16(static_cast<float>(x.data()[i])));
  CHECK(y.at({0, 3}) == 1);             // a tie: down to even
  CHECK(y.at({0, 4}) == 1 + 2 * unit);  // a tie: up to even
  const Tensor many = drawn({37, 41}, 0, -9, 9);
  const Tensor rounded = NarrowMatrix(WeightType::kBfloat16, many).widened();
  for (Index i = 0; i < many.size(); ++i)
    CHECK(rounded.data()[i] == nearest_bf16(static_cast<float>(many.data()[i])));
  const Tensor again = NarrowMatrix(WeightType::kBfloat16, rounded).widened();
  CHECK(again.values() == rounded.values());
}

TEST_CASE("narrow: in int8, 32 weights share a scale, and the error is half of it") {
  for (const Index k : {1, 31, 32, 33, 64, 97}) {
    CAPTURE(k);
    Tensor x = drawn({5, k}, 0);
    for (Index i = 0; i < k; ++i) x.mutable_data()[2 * k + i] = 0;  // a row of 0
    for (Index i = 0; i < k; ++i) x.mutable_data()[3 * k + i] *= std::pow(10, -(i / 32));
    const Tensor y = NarrowMatrix(WeightType::kInt8, x).widened();
    for (Index row = 0; row < 5; ++row) {
      for (Index first = 0; first < k; first += 32) {
        double most = 0;
        const Index end = std::min(first + 32, k);
        for (Index i = first; i < end; ++i) {
          most = std::max(most, std::abs(double{x.data()[row * k + i]}));
        }
        const double scale = nearest_bf16(static_cast<float>(most / 127));
        for (Index i = first; i < end; ++i) {
          const double was = x.data()[row * k + i], got = y.data()[row * k + i];
          CHECK(std::abs(got - was) <= scale * (0.5 + 1e-5));
          CHECK(std::abs(got - scale * std::nearbyint(scale == 0 ? 0 : got / scale)) <=
                1e-6 * most);
        }
      }
    }
  }
}

TEST_CASE("narrow: int8 of very small and very large weights") {
  const Scalar least = std::numeric_limits<float>::denorm_min(), most = Scalar(3.3e38);
  const Tensor x = tensor(Shape{2, 3}, {least, -100 * least, 0, most, -most / 2, least});
  const Tensor y = NarrowMatrix(WeightType::kInt8, x).widened();
  for (Index i = 0; i < 3; ++i) CHECK(y.at({0, i}) == 0);
  CHECK(std::abs(y.at({1, 0}) - most) < most / 200);
  CHECK(std::abs(y.at({1, 1}) + most / 2) < most / 200);
  CHECK(y.at({1, 2}) == 0);
}

TEST_CASE("narrow: products equal loops in double, at all edge sizes") {
  for (const WeightType type : kNarrowTypes) {
    for (const Index m : {0, 1, 2, 3, 4, 5, 8, 9, 19}) {
      for (const Index n : {0, 1, 3, 16, 33}) {
        for (const Index k : {0, 1, 15, 31, 32, 33, 64, 100})
          CHECK(narrow_trouble(type, m, n, k) == "");
      }
    }
    CHECK(narrow_trouble(type, 1, 300, 1601) == "");  // of several threads, and several blocks
    CHECK(narrow_trouble(type, 7, 300, 1601) == "");
    CHECK(narrow_trouble(type, 23, 300, 1601) == "");
  }
}

TEST_CASE("narrow: int8 products of very small and very large inputs") {
  const Scalar least = std::numeric_limits<Scalar>::denorm_min(), most = Scalar(1e30);
  const Tensor x = tensor(Shape{2, 3}, {least, -100 * least, 0, most, -most / 2, least});
  const Tensor y = narrow_linear(x, NarrowMatrix(WeightType::kInt8, full({1, 3}, 1)));
  CHECK(y.at({0, 0}) == 0);
  CHECK(std::abs(y.at({1, 0}) - most / 2) < most / 1000);
}

TEST_CASE("narrow: the error of an int8 product is bounded by the scales") {
  const Index m = 3, n = 29, k = 100;
  const Tensor x = drawn({m, k}, 0), w = drawn({n, k}, 1);
  const Tensor y = narrow_linear(x, NarrowMatrix(WeightType::kInt8, w));
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      double exact = 0, bound = 0;
      for (Index first = 0; first < k; first += 32) {
        double most = 0, size = 0;
        for (Index l = first; l < std::min(first + 32, k); ++l) {
          const double weight = w.data()[j * k + l], input = x.data()[i * k + l];
          most = std::max(most, std::abs(weight));
          size += std::abs(input);
          exact += weight * input;
        }
        bound += size * most / 127 / 2 * (1 + 1.0 / 256);  // a scale rounded to bfloat16
      }
      CHECK(std::abs(y.data()[i * n + j] - exact) <= bound * (1 + 1e-4));
    }
  }
}

TEST_CASE("narrow: a row has the same bits alone, in a batch, and with any number of threads") {
  const Index n = 411, k = 1500;
  for (const WeightType type : kNarrowTypes) {
    const NarrowMatrix w(type, drawn({n, k}, 1));
    const Tensor x = drawn({8, k}, 0);
    const auto product = [&](int threads, Index rows) {
      const ThreadScope scope(threads);
      return narrow_linear(Tensor(x, {rows, k}), w).values();
    };
    const Values all = product(1, 8);
    for (const int threads : {1, 2, 3, 5}) {
      for (Index rows = 1; rows <= 8; ++rows) {
        const Values some = product(threads, rows);
        CHECK(std::equal(some.begin(), some.end(), all.begin()));
      }
    }
  }
}

TEST_CASE("narrow: infinities and NaN reach their row alone, whatever the padding") {
  for (const WeightType type : kNarrowTypes) {
    for (const Index m : {3, 11}) {
      Tensor x = drawn({m, 33}, 0);
      x.mutable_data()[33 + 32] = kNaN;
      x.mutable_data()[2 * 33 + 32] = kInf;
      const Tensor y = narrow_linear(x, NarrowMatrix(type, drawn({5, 33}, 1, 1, 2)));
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < 5; ++j) {
          const Scalar got = y.at({i, j});
          // In int8, the scale of x's group is NaN for an infinity, too.
          const bool is_infinite = type == WeightType::kInt8 ? !std::isfinite(got) : got == kInf;
          CHECK((i == 1 ? std::isnan(got) : i == 2 ? is_infinite : std::isfinite(got)));
        }
      }
    }
  }
}

TEST_CASE("narrow: bias, more axes, and rows of a table") {
  for (const WeightType type : kNarrowTypes) {
    const NarrowMatrix w(type, drawn({7, 40}, 1));
    const Tensor x = drawn({2, 3, 40}, 0), b = drawn({7}, 2);
    const Tensor y = narrow_linear(x, w, b);
    CHECK(y.shape() == Shape{2, 3, 7});
    const Tensor plain = narrow_linear(Tensor(x, {6, 40}), w);
    CHECK(y.values() == Tensor(plain + b, {2, 3, 7}).values());
    const Tensor rows = narrow_embedding(indices({{6, 0}}), w), wide = w.widened();
    CHECK(rows.shape() == Shape{1, 2, 40});
    CHECK(rows[0][0].values() == wide[6].values());
    CHECK(rows[0][1].values() == wide[0].values());
    CHECK(narrow_embedding(IndexTensor(Shape{0}), w).shape() == Shape{0, 40});
  }
}

TEST_CASE("narrow: rows are set a part at a time, and the first ones share the memory") {
  for (const WeightType type : kNarrowTypes) {
    const Tensor x = drawn({9, 50}, 1);
    const NarrowMatrix whole(type, x), parts(type, 9, 50);
    parts.set_rows(4, Tensor(x, {5, 50}, 4 * 50));
    parts.set_rows(0, Tensor(x, {4, 50}));
    CHECK(parts.widened().values() == whole.widened().values());
    const NarrowMatrix first = parts.first_rows(3);
    CHECK(first.shape() == Shape{3, 50});
    CHECK(first.widened().values() == Tensor(whole.widened(), {3, 50}).values());
    first.set_rows(0, zeros({3, 50}));
    CHECK(parts.widened()[0].values() == Values(50));
    CHECK(parts.bytes() == 12 * (type == WeightType::kInt8 ? 64 + 4 : 128));
  }
}

TEST_CASE("narrow: errors name the rule") {
  const NarrowMatrix w(WeightType::kInt8, ones({2, 3}));
  CHECK_FAILS(NarrowMatrix(WeightType::kFloat32, 2, 3),
              "NarrowMatrix: the type must be bfloat16 or int8, got float32 (use a Tensor)");
  CHECK_FAILS(NarrowMatrix(WeightType::kInt8, ones({3})), "needs x [rows, columns], got [3]");
  CHECK_FAILS(NarrowMatrix(WeightType::kInt8, 2, -1), "-1");
  CHECK_FAILS(w.set_rows(1, ones({2, 3})), "set_rows: needs x [n, 3] with n at most 1, got [2, 3]");
  CHECK_FAILS(w.set_rows(0, ones({2, 4})), "got [2, 4]");
  for (const Scalar wrong : {kNaN, -kInf, Scalar(3.4e38)}) {
    CHECK_FAILS(w.set_rows(0, full({1, 3}, wrong)), "set_rows: weights must be numbers of at most");
  }
  CHECK_FAILS(w.first_rows(3), "first_rows: needs a count in [0, 2], got 3");
  CHECK_FAILS(narrow_linear(ones({2}), w),
              "narrow_linear: needs x [..., in] and w [out, in], got x [2] and w [2, 3]");
  CHECK_FAILS(narrow_linear(scalar(1), w), "got x []");
  CHECK_FAILS(narrow_linear(ones({3}), w, ones({3})), "needs b [out], got w [2, 3] and b [3]");
  CHECK_FAILS(narrow_embedding(indices({2}), w), "narrow_embedding: token 2 at [0]");
  CHECK_FAILS(narrow_linear(ones({3}), NarrowMatrix()), "narrow_linear: w is undefined");
  CHECK_FAILS(narrow_embedding(indices({2}), NarrowMatrix()),
              "narrow_embedding: table is undefined");
  CHECK_FAILS(narrow_linear(Tensor(), w), "narrow_linear: x is undefined");
  CHECK_FAILS(narrow_embedding(IndexTensor(), w), "narrow_embedding: tokens is undefined");
}

TEST_CASE("narrow: has no gradient, and an error if one is required") {
  const NarrowMatrix w(WeightType::kBfloat16, ones({2, 3}));
  const Tensor x = ones({3}).set_requires_grad(), b = ones({2}).set_requires_grad();
  const char* message =
      "narrow_linear: has no gradient (use NoGrad, or weights in float32 to train)";
  CHECK_FAILS(narrow_linear(x, w), message);
  CHECK_FAILS(narrow_linear(ones({3}), w, b), message);
  const NoGrad no_grad;
  CHECK(narrow_linear(x, w, b).values() == Values{4, 4});
}
