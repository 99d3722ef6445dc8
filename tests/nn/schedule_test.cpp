#include "nn/optim/schedule.h"

#include <doctest/doctest.h>

using namespace gradus;

namespace {

const CosineSchedule kSchedule{.rate = 0.8, .floor = 0.2, .warmup = 3, .decay = 11};

doctest::Approx exactly(double value) { return doctest::Approx(value).epsilon(1e-14); }

}  // namespace

TEST_CASE("schedule: warm-up rises in equal steps and never starts at 0") {
  CHECK(kSchedule.at(0) == exactly(0.2));
  CHECK(kSchedule.at(1) == exactly(0.4));
  CHECK(kSchedule.at(2) == exactly(0.6));
  CHECK(kSchedule.at(3) == exactly(0.8));
}

TEST_CASE("schedule: half a cosine leads to the floor") {
  CHECK(kSchedule.at(5) == exactly(0.5 + 0.3 * 0.70710678118654752));  // an eighth of the circle
  CHECK(kSchedule.at(7) == exactly(0.5));
  CHECK(kSchedule.at(9) == exactly(0.5 - 0.3 * 0.70710678118654752));
  CHECK(kSchedule.at(11) == exactly(0.2));
}

TEST_CASE("schedule: beyond the decay the floor stays") {
  CHECK(kSchedule.at(12) == 0.2);
  CHECK(kSchedule.at(4'000'000'000) == 0.2);
}

TEST_CASE("schedule: without warm-up it starts at the top") {
  CHECK(CosineSchedule{.rate = 0.8, .floor = 0, .warmup = 0, .decay = 10}.at(0) == 0.8);
}

TEST_CASE("schedule: a decay that ends within the warm-up goes straight to the floor") {
  const CosineSchedule schedule{.rate = 0.8, .floor = 0.1, .warmup = 5, .decay = 2};
  CHECK(schedule.at(4) == exactly(0.8 * 5 / 6));
  CHECK(schedule.at(5) == 0.1);
}
