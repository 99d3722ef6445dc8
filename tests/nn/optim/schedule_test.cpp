#include "nn/optim/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "nn/names.h"

using namespace gradus;

namespace {

const Schedule kSchedule{.rate = 0.8, .floor = 0.2, .warmup = 3, .decay = 11};

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
  CHECK(Schedule{.rate = 0.8, .floor = 0, .warmup = 0, .decay = 10}.at(0) == 0.8);
}

TEST_CASE("schedule: a decay that ends within the warm-up goes straight to the floor") {
  const Schedule schedule{.rate = 0.8, .floor = 0.1, .warmup = 5, .decay = 2};
  CHECK(schedule.at(4) == exactly(0.8 * 5 / 6));
  CHECK(schedule.at(5) == 0.1);
}

TEST_CASE("schedule: linear goes straight to the floor, and constant stays") {
  Schedule schedule = kSchedule;
  schedule.kind = ScheduleKind::kLinear;
  CHECK(schedule.at(1) == exactly(0.4));
  CHECK(schedule.at(3) == exactly(0.8));
  CHECK(schedule.at(5) == exactly(0.65));
  CHECK(schedule.at(11) == 0.2);
  CHECK(schedule.at(12) == 0.2);
  schedule.kind = ScheduleKind::kConstant;
  CHECK(schedule.at(1) == exactly(0.4));
  CHECK(schedule.at(3) == 0.8);
  CHECK(schedule.at(4'000'000'000) == 0.8);
}

TEST_CASE("schedule: the inverse square root falls to a half in four times the warm-up") {
  const Schedule schedule{
      .rate = 0.8, .floor = 0.1, .warmup = 4, .kind = ScheduleKind::kInverseSquareRoot};
  CHECK(schedule.at(0) == exactly(0.2));
  CHECK(schedule.at(3) == exactly(0.8));
  CHECK(schedule.at(15) == exactly(0.4));
  CHECK(schedule.at(1'000'000) == 0.1);
  const Schedule without{.rate = 0.8, .warmup = 0, .kind = ScheduleKind::kInverseSquareRoot};
  CHECK(without.at(0) == exactly(0.8));
}

TEST_CASE("schedule: inverse_sqrt equals the formula of the transformer's paper") {
  const Schedule schedule{.rate = 1 / std::sqrt(512.0 * 4000),
                          .floor = 0,
                          .warmup = 4000,
                          .kind = ScheduleKind::kInverseSquareRoot};
  for (const std::int64_t step : {1, 1000, 3999, 4000, 4001, 100'000}) {
    const auto s = static_cast<double>(step);
    CHECK(schedule.at(step - 1) ==
          exactly(std::pow(512, -0.5) * std::min(std::pow(s, -0.5), s * std::pow(4000, -1.5))));
  }
}

TEST_CASE("schedule: steps at the ends of their type overflow nothing") {
  constexpr std::int64_t kLast = INT64_MAX, kFirst = INT64_MIN;
  for (int i = 0; i < 4; ++i) {
    const auto kind = static_cast<ScheduleKind>(i);
    CAPTURE(i);
    CHECK(std::isfinite(Schedule{.warmup = kLast, .decay = kLast, .kind = kind}.at(kLast - 1)));
    CHECK(std::isfinite(Schedule{.warmup = kFirst, .decay = kLast, .kind = kind}.at(kLast)));
    CHECK(std::isfinite(Schedule{.warmup = kFirst, .decay = kLast, .kind = kind}.at(5)));
  }
}

TEST_CASE("schedule: kinds have names") {
  ScheduleKind kind{};
  CHECK(find_named("inverse_sqrt", kind));
  CHECK(kind == ScheduleKind::kInverseSquareRoot);
  CHECK(std::string(name_of(ScheduleKind::kLinear)) == "linear");
}
