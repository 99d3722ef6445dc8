#include "autograd/kernels/gemm_bf16.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <bit>
#include <cstdint>
#include <thread>

#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

/// Whether this machine and build support bfloat16 products. If not, doctest counts the tests that
/// need them as skipped.
const bool kPossible = bfloat16_obstacle() == nullptr;

/// The nearest bfloat16, ties to even, from its definition on the bits of a float.
double as_bf16(Scalar x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return std::bit_cast<float>((bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000u);
}

struct Bf16Product {
  Index m, n, k;
  bool ta = false, tb = false;
  Scalar alpha = 1, beta = 0;
};

/// Returns "" if `product` computes the product of as_bf16 operands, except for rounding in its
/// float sums, and changes no other elements of the larger array around C.
std::string trouble_in_bf16(const Bf16Product& p, decltype(gemm_bf16)& product) {
  const Index gap = 3;
  const Index lda = (p.ta ? p.m : p.k) + gap, ldb = (p.tb ? p.k : p.n) + gap, ldc = p.n + gap;
  const Tensor a = drawn({p.ta ? p.k : p.m, lda}, 0), b = drawn({p.tb ? p.n : p.k, ldb}, 1);
  const Tensor before = drawn({p.m, ldc}, 2);
  Tensor c = before.clone();
  for (Index i = 0; p.beta == 0 && i < p.m; ++i) {
    std::fill_n(c.mutable_data() + i * ldc, p.n, kNaN);  // must not be read
  }
  product(p.m, p.n, p.k, p.alpha, {a.data(), lda, p.ta}, {b.data(), ldb, p.tb}, p.beta,
          c.mutable_data(), ldc);
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < ldc; ++j) {
      double sum = 0, size = 0;
      for (Index l = 0; j < p.n && l < p.k; ++l) {
        const double term = as_bf16(a.data()[p.ta ? l * lda + i : i * lda + l]) *
                            as_bf16(b.data()[p.tb ? j * ldb + l : l * ldb + j]);
        sum += term;
        size += std::abs(term);
      }
      const double was = before.data()[i * ldc + j], got = c.data()[i * ldc + j];
      const double expected = j < p.n ? p.alpha * sum + p.beta * was : was;
      const double units = size * std::abs(p.alpha) + std::abs(p.beta * was);
      const double bound = j < p.n ? std::ldexp(static_cast<double>(p.k + 4) * units, -24) : 0;
      if (!(std::abs(got - expected) <= bound)) {
        return text("[", p.m, ", ", p.n, ", ", p.k, "] ", p.ta, p.tb, " at ", i, ", ", j, ": ", got,
                    " in place of ", expected);
      }
    }
  }
  return "";
}

/// Returns x times 1 in bfloat16, as the only element that is not 0 in a larger product.
Scalar through_product(Scalar x) {
  const Index size = 64;
  Tensor a = zeros({size, size}), b = zeros({size, size}), c({size, size});
  a.mutable_data()[3 * size + 5] = x;
  b.mutable_data()[5 * size + 7] = 1;
  const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
  gemm(size, size, size, 1, {a.data(), size}, {b.data(), size}, 0, c.mutable_data(), size);
  return c.data()[3 * size + 7];
}

/// A product of [m, k] and [k, n].
Tensor drawn_product(Index m, Index n, Index k) {
  const Tensor a = drawn({m, k}, 0), b = drawn({k, n}, 1);
  Tensor c({m, n});
  gemm(m, n, k, 1, {a.data(), k}, {b.data(), n}, 0, c.mutable_data(), n);
  return c;
}

/// The same on `threads` threads.
Tensor drawn_product(int threads, Index m, Index n, Index k) {
  const ThreadScope scope(threads);
  return drawn_product(m, n, k);
}

}  // namespace

TEST_CASE("bfloat16: says so where its tests are skipped" * doctest::skip(kPossible || kIsDouble)) {
  MESSAGE("skipped: the tests of bfloat16 products: ", bfloat16_obstacle());
}

TEST_CASE("bfloat16: an error where it is not possible, which says what is missing" *
          doctest::skip(kPossible)) {
  const char* message = kIsDouble ? "bfloat16: this build computes in double (use float32"
                                  : "bfloat16: this CPU has no AVX512_BF16 (use float32";
  CHECK_FAILS(ProductPrecisionScope(ProductPrecision::kBfloat16), message);
  const ProductPrecisionScope as_ever(ProductPrecision::kFull);
}

TEST_CASE("bfloat16: products equal a plain loop over as_bf16 numbers, at all edge sizes" *
          doctest::skip(!kPossible)) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      for (const Index m : {1, 7, 8, 17}) {
        for (const Index n : {1, 15, 16, 33, 48, 49}) {
          for (const Index k : {1, 2, 3, 16, 31, 33, 65}) {
            const Bf16Product p{.m = m, .n = n, .k = k, .ta = ta, .tb = tb};
            CHECK(trouble_in_bf16(p, gemm_bf16) == "");
          }
        }
      }
      const Bf16Product odd{
          .m = 11, .n = 53, .k = 37, .ta = ta, .tb = tb, .alpha = Scalar(0.5), .beta = -2};
      CHECK(trouble_in_bf16(odd, gemm_bf16) == "");
    }
  }
}

TEST_CASE("bfloat16: products of several blocks along each size" * doctest::skip(!kPossible)) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Bf16Product deep{.m = 13, .n = 29, .k = 1601, .ta = ta, .tb = tb, .beta = 1};
      const Bf16Product tall{.m = 419, .n = 19, .k = 23, .ta = ta, .tb = tb, .alpha = 3, .beta = 1};
      const Bf16Product wide{.m = 11, .n = 1609, .k = 19, .ta = ta, .tb = tb, .beta = Scalar(0.25)};
      for (const Bf16Product& p : {deep, tall, wide}) {
        CHECK(trouble_in_bf16(p, gemm_bf16) == "");
      }
    }
  }
}

TEST_CASE("bfloat16: gemm, cut over threads; empty sizes as ever" * doctest::skip(!kPossible)) {
  const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
  for (const int threads : {1, 2, 3, 7}) {
    const ThreadScope with(threads);
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        CHECK(trouble_in_bf16({.m = 131, .n = 61, .k = 97, .ta = ta, .tb = tb}, gemm) == "");
        CHECK(trouble_in_bf16({.m = 61, .n = 131, .k = 97, .ta = ta, .tb = tb, .beta = 1}, gemm) ==
              "");
        for (const Index k : {Index{0}, Index{67}}) {
          CHECK(trouble_in_bf16({.m = 0, .n = 71, .k = k, .ta = ta, .tb = tb}, gemm) == "");
          CHECK(trouble_in_bf16({.m = 71, .n = 0, .k = k, .ta = ta, .tb = tb}, gemm) == "");
        }
        CHECK(trouble_in_bf16({.m = 73, .n = 71, .k = 0, .ta = ta, .tb = tb, .beta = 2}, gemm) ==
              "");
      }
    }
  }
}

TEST_CASE("bfloat16: the same bits with any number of threads" * doctest::skip(!kPossible)) {
  const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
  for (const auto [m, n, k] :
       {std::array<Index, 3>{307, 101, 811}, {101, 307, 811}, {64, 64, 64}}) {
    const Tensor alone = drawn_product(1, m, n, k);
    for (const int threads : {2, 3, 5}) {
      const Tensor shared = drawn_product(threads, m, n, k);
      CHECK(std::equal(alone.begin(), alone.end(), shared.begin()));
    }
  }
}

TEST_CASE("bfloat16: rounds to the nearest, ties to even; infinities and NaN pass" *
          doctest::skip(!kPossible)) {
  const Scalar unit = std::ldexp(Scalar(1), -7);  // between 1 and the next bfloat16
  CHECK(through_product(1 + unit) == 1 + unit);
  CHECK(through_product(1 + unit / 2) == 1);                       // a tie: down to even
  CHECK(through_product(1 + 3 * unit / 2) == 1 + 2 * unit);        // a tie: up to even
  CHECK(through_product(1 + unit * Scalar(0.501)) == 1 + unit);    // beyond the tie
  CHECK(through_product(-1 - unit * Scalar(1.499)) == -1 - unit);  // before the tie
  CHECK(through_product(std::numeric_limits<Scalar>::max()) == kInf);
  CHECK(through_product(-kInf) == -kInf);
  CHECK(std::isnan(through_product(kNaN)));
  CHECK(through_product(std::numeric_limits<Scalar>::denorm_min()) == 0);
}

TEST_CASE("bfloat16: ends with its scope, and leaves small products and few rows as they are" *
          doctest::skip(!kPossible)) {
  const Tensor large = drawn_product(2, 67, 71, 73), small = drawn_product(2, 31, 37, 41),
               few = drawn_product(2, 8, 521, 257);
  const auto equal = [](const Tensor& x, const Tensor& y) {
    return std::equal(x.begin(), x.end(), y.begin());
  };
  {
    const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
    CHECK(!equal(drawn_product(2, 67, 71, 73), large));
    CHECK(equal(drawn_product(2, 31, 37, 41), small));
    CHECK(equal(drawn_product(2, 8, 521, 257), few));
    const ProductPrecisionScope inner(ProductPrecision::kFull);
    CHECK(equal(drawn_product(2, 67, 71, 73), large));
  }
  CHECK(equal(drawn_product(2, 67, 71, 73), large));
}

TEST_CASE("bfloat16: infinities and NaN reach their elements alone, with an odd k too" *
          doctest::skip(!kPossible)) {
  const Index m = 11, n = 53;
  for (const Index k : {1, 7, 33}) {
    for (const bool turned : {false, true}) {
      CAPTURE(k);
      CAPTURE(turned);
      // Rows 2, 3 and 4 of A end in inf, NaN and both: the last k has no partner in its pair.
      const auto place = [&](Index row, Index at) { return turned ? at * m + row : row * k + at; };
      const Shape shape = turned ? Shape{k, m} : Shape{m, k};
      Tensor a = drawn(shape, 0, 1, 2), b = drawn({k, n}, 1, 1, 2), c({m, n});
      a.mutable_data()[place(2, k - 1)] = kInf;
      a.mutable_data()[place(3, k - 1)] = kNaN;
      a.mutable_data()[place(4, k - 1)] = kInf;
      a.mutable_data()[place(4, 0)] = k == 1 ? kNaN : -kInf;  // inf - inf
      b.mutable_data()[(k - 1) * n + 5] = 0;                  // 0 inf
      gemm_bf16(m, n, k, 1, {a.data(), turned ? m : k, turned}, {b.data(), n}, 0, c.mutable_data(),
                n);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          const Scalar got = c.data()[i * n + j];
          const bool is_nan = i == 3 || i == 4 || (i == 2 && j == 5);
          CAPTURE(i);
          CAPTURE(j);
          CAPTURE(got);
          CHECK((is_nan ? std::isnan(got) : i == 2 ? got == kInf : std::isfinite(got)));
        }
      }
    }
  }
}

TEST_CASE("bfloat16: a thread's scope is its own, and serves its products on other threads" *
          doctest::skip(!kPossible)) {
  const auto product = [] { return drawn_product(131, 71, 73).values(); };
  const Values full = product();
  Values rounded;
  std::barrier step(2);
  std::thread other([&] {
    step.arrive_and_wait();  // the main thread has opened its scope
    CHECK(product() == full);
    {
      const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
      step.arrive_and_wait();  // and has ended it
      step.arrive_and_wait();
      CHECK(product() == rounded);
    }
    CHECK(product() == full);
  });
  {
    const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
    rounded = product();
    step.arrive_and_wait();
    step.arrive_and_wait();
  }
  CHECK(rounded != full);
  CHECK(product() == full);
  step.arrive_and_wait();
  other.join();
  CHECK(product() == full);
}

TEST_CASE("bfloat16: products inside a parallel_for have the precision of its caller" *
          doctest::skip(!kPossible)) {
  const ThreadScope threads(3);
  const auto products = [] {
    std::vector<Values> results(6);
    parallel_parts(6, [&](int part) {
      results[static_cast<std::size_t>(part)] = drawn_product(67, 71, 73).values();
    });
    return results;
  };
  const auto full = products();
  {
    const ProductPrecisionScope scope(ProductPrecision::kBfloat16);
    const auto rounded = products();
    CHECK(rounded[0] != full[0]);
    CHECK(rounded == std::vector<Values>(6, rounded[0]));
  }
  CHECK(products() == full);
}
