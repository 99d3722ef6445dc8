#include "autograd/shape.h"

#include <algorithm>
#include <ranges>
#include <sstream>

#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

TEST_CASE("Shape: sizes, axes and number of elements") {
  const Shape s{2, 3, 5};
  CHECK(s.rank() == 3);
  CHECK(s.size() == 30);
  CHECK(s[0] == 2);
  CHECK(s[-1] == 5);
  CHECK(s[-3] == 2);
  CHECK(s.axis_of(-2) == 1);
  CHECK(s.product(0, 2) == 6);
  CHECK(s.product(1, 3) == 15);
  CHECK(s.product(3, 3) == 1);
  CHECK(Shape().rank() == 0);
  CHECK(Shape().size() == 1);
  CHECK(Shape{7, 0}.size() == 0);
  CHECK(std::vector<Index>(s.begin(), s.end()) == std::vector<Index>{2, 3, 5});
}

TEST_CASE("Shape: as a range it has its axes, not its elements") {
  const Shape s{2, 3, 5};
  CHECK(std::ranges::distance(s) == 3);
  CHECK(std::ranges::equal(s, std::vector<Index>{2, 3, 5}));
}

TEST_CASE("Shape: changed copies") {
  const Shape s{2, 3, 5};
  CHECK(s.with(1, 7) == Shape{2, 7, 5});
  CHECK(s.with(-1, 0) == Shape{2, 3, 0});
  CHECK(s.without(0) == Shape{3, 5});
  CHECK(s.without(-1) == Shape{2, 3});
  CHECK(s.append(7) == Shape{2, 3, 5, 7});
  CHECK(Shape().append(2) == Shape{2});
  CHECK(Shape{2}.without(0) == Shape());
}

TEST_CASE("Shape: equal if rank and all sizes are") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2, 3} != Shape{2, 3, 1});
  CHECK(Shape{2} != Shape());
  // Sizes left from a longer shape are ignored.
  CHECK(Shape{2, 3, 5}.without(-1) == Shape{2, 3});
}

TEST_CASE("Shape: prints as in the messages") {
  CHECK(text(Shape{2, 3}) == "[2, 3]");
  CHECK(text(Shape{7}) == "[7]");
  CHECK(text(Shape()) == "[]");
}

TEST_CASE("Shape: errors name an invalid shape") {
  CHECK_FAILS((Shape{2, -1}), "shape: sizes must not be negative, got [2, -1]");
  CHECK_FAILS((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), "shape: at most 8 axes, got 9");
  CHECK_FAILS((Shape{Index{1} << 32, Index{1} << 31}),
              "shape: too many elements to count, got [4294967296, 2147483648]");
  CHECK_FAILS((Shape{0, Index{1} << 32, Index{1} << 32}), "shape: too many elements to count");
  CHECK((Shape{Index{1} << 31, Index{1} << 31}).size() == Index{1} << 62);
  CHECK_FAILS((Shape{2, 3}[2]), "shape: axis 2 is not an axis of [2, 3]");
  CHECK_FAILS((Shape{2, 3}[-3]), "shape: axis -3 is not an axis of [2, 3]");
  CHECK_FAILS(Shape().axis_of(0), "shape: axis 0 is not an axis of []");
  CHECK_FAILS((Shape{2, 3}.with(2, 1)), "shape: axis 2 is not an axis of [2, 3]");
  CHECK_FAILS((Shape{1, 1, 1, 1, 1, 1, 1, 1}.append(2)), "shape: at most 8 axes, cannot append");
  CHECK_FAILS((Shape{Index{1} << 62}.append(2)), "shape: too many elements to count");
}

TEST_CASE("Axes: a bit for each") {
  const Shape s{2, 3, 5};
  CHECK(Axes().mask("op", s) == 0b111);
  CHECK(Axes(1).mask("op", s) == 0b010);
  CHECK(Axes(-1).mask("op", s) == 0b100);
  CHECK(Axes{0, -1}.mask("op", s) == 0b101);
  CHECK(Axes().mask("op", Shape()) == 0);
  CHECK_FAILS(Axes(3).mask("op", s), "op: axis 3 is not an axis of [2, 3, 5]");
  CHECK_FAILS((Axes{2, -1}.mask("op", s)), "op: axis -1 of [2, 3, 5] is named twice");
  CHECK_FAILS((Axes{0, 1, 2, 3, 4, 5, 6, 7, 0}), "axes: at most 8 axes, got 9");
}

TEST_CASE("broadcast_shapes: NumPy's rule") {
  const auto both = [](const Shape& a, const Shape& b, const Shape& expected) {
    CHECK(broadcast_shapes("op", a, b) == expected);
    CHECK(broadcast_shapes("op", b, a) == expected);
  };
  both({2, 3}, {2, 3}, {2, 3});
  both({2, 3}, {3}, {2, 3});
  both({2, 3}, {2, 1}, {2, 3});
  both({2, 1}, {3}, {2, 3});
  both({}, {2, 3}, {2, 3});
  both({7, 1, 5}, {3, 1}, {7, 3, 5});
  both({0, 3}, {1, 3}, {0, 3});
  both({0}, {1}, {0});
  both({1, 1}, {1}, {1, 1});
  CHECK_FAILS(broadcast_shapes("op", {2, 3}, {2}),
              "op: shapes must broadcast, got [2, 3] and [2]: 3 is neither 2 nor 1 at axis -1");
  CHECK_FAILS(broadcast_shapes("op", {0}, {2}), "op: shapes must broadcast, got [0] and [2]");
}
