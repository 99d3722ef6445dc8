#include "nn/examples/glyphs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "nn/data/items.h"

using namespace gradus;

TEST_CASE("glyphs: image i is a function of seed and i, and its pixels are greys") {
  const LabelledImages all = draw_digits(300, 1), part = draw_digits(100, 1, 200);
  CHECK(all.images.shape() == Shape({300, 28, 28}));
  CHECK(all.labels.shape() == Shape({300}));
  CHECK(std::equal(part.images.begin(), part.images.end(), all.images.begin() + 200 * 28 * 28));
  CHECK(std::equal(part.labels.begin(), part.labels.end(), all.labels.begin() + 200));
  CHECK(draw_digits(300, 2).images.values() != all.images.values());
  std::array<int, 10> counts{};
  for (const std::int32_t label : draw_digits(2000, 1).labels.values()) {
    ++counts[static_cast<std::size_t>(label)];
  }
  CHECK(std::ranges::all_of(counts, [](int n) { return n > 150 && n < 250; }));
  for (Index i = 0; i < 300; ++i) {
    const Scalar* begin = all.images.data() + i * 28 * 28;
    const auto [low, high] = std::minmax_element(begin, begin + 28 * 28);
    CHECK(*low == 0);
    CHECK(*high > 0.7);
    CHECK(*high <= 1);
    const auto ink = std::count_if(begin, begin + 28 * 28, [](Scalar x) { return x > 0.5; });
    CHECK(ink > 10);
    CHECK(ink < 300);
  }
}

TEST_CASE("glyphs: a clean 0 has a hole in the middle, and a 1 is narrow") {
  GlyphOptions options{.height = 40, .width = 30, .slant = 0, .turn = 0, .noise = 0};
  const LabelledImages drawn = draw_digits(200, 1, 0, options);
  CHECK(drawn.images.shape() == Shape({200, 40, 30}));
  for (Index i = 0; i < 200; ++i) {
    const Scalar* image = drawn.images.data() + i * 40 * 30;
    Index left = 30, right = -1, top = 40, bottom = -1;
    for (Index p = 0; p < 40 * 30; ++p) {
      if (image[p] < 0.5) continue;
      left = std::min(left, p % 30), right = std::max(right, p % 30);
      top = std::min(top, p / 30), bottom = std::max(bottom, p / 30);
    }
    REQUIRE(right >= left);
    CHECK(bottom - top + 1 >= 18);  // half the height, without the edges' losses
    CHECK(bottom - top + 1 <= 40);
    const Scalar middle = image[(top + bottom) / 2 * 30 + (left + right) / 2];
    if (drawn.labels.data()[i] == 0) CHECK(middle == 0);
    if (drawn.labels.data()[i] == 1) CHECK(right - left < bottom - top);
  }
}

TEST_CASE("glyphs: options out of range are errors, and a picture fits a terminal") {
  CHECK_THROWS_WITH_AS(draw_digits(0, 1),
                       doctest::Contains("at least one digit, with numbers in [0, 2^32), got 0"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(draw_digits(1, 1, -1), doctest::Contains("got 1 from number -1 on"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(draw_digits(1, 1, 0, {.height = 0}), doctest::Contains("must be positive"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(draw_digits(1, 1, 0, {.smallest = 0.9}), doctest::Contains("0.9 and 0.8"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(draw_digits(1, 1, 0, {.noise = std::nan("")}),
                       doctest::Contains("must be in [0, 1]"), std::invalid_argument);
  CHECK(image_as_text(tensor({{{0, 0.5}, {1, 0.1}}}), 0) == " =\n@ \n");
  CHECK_THROWS_WITH_AS(image_as_text(zeros({1, 2, 2}), 1), doctest::Contains("no image 1 among 1"),
                       std::invalid_argument);
}
