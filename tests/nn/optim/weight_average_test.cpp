#include "nn/optim/weight_average.h"

#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

/// The average after the weight had these values in turn.
double average_of(double decay, const Values& weights) {
  const Tensor w = tensor({100});  // does not count
  WeightAverage average({{"w", w}}, decay);
  for (const Scalar value : weights) {
    *w.mutable_data() = value;
    average.update();
  }
  return average.state()[0].tensor.item();
}

}  // namespace

TEST_CASE("weight average: later weights count more, by powers of the decay") {
  CHECK(average_of(0.5, {7}) == 7);
  const double expected = (0.25 * 1 + 0.5 * 2 + 1 * 6) / 1.75;
  CHECK(average_of(0.5, {1, 2, 6}) == doctest::Approx(expected).epsilon(kRounding));
}

TEST_CASE("weight average: decay 1 is the plain mean, 0 the last weight") {
  CHECK(average_of(1, {1, 2, 6}) == doctest::Approx(3).epsilon(kRounding));
  CHECK(average_of(0, {1, 2, 6}) == 6);
}

TEST_CASE("weight average: takes the parameters' place and gives it back") {
  const Tensor a = tensor({1, 2}), b = tensor({{5}});
  WeightAverage average({{"a", a}, {"b", b}}, 1);
  average.update();
  a.mutable_data()[0] = 3;
  average.update();
  {
    const WeightAverage::InUse in_use(average);
    CHECK(average.in_use());
    CHECK(a.values() == Values{2, 2});
    CHECK_THROWS_WITH_AS(average.update(), doctest::Contains("call swap() first"),
                         std::logic_error);
  }
  CHECK_FALSE(average.in_use());
  CHECK(a.values() == Values{3, 2});
  CHECK(b.values() == Values{5});
}

TEST_CASE("weight average: state and count are all that a resumed run needs") {
  const Tensor w = drawn({5, 7}, 1);
  WeightAverage average({{"model.w", w}}, 0.9);
  average.update();
  WeightAverage resumed({{"model.w", w}}, 0.9);
  CHECK(resumed.state()[0].name == "average.model.w");
  const Tensor kept = average.state()[0].tensor;
  std::copy(kept.begin(), kept.end(), resumed.state()[0].tensor.mutable_data());
  resumed.set_updates(average.updates());
  *w.mutable_data() = 12;
  average.update();
  resumed.update();
  CHECK(average.state()[0].tensor.values() == resumed.state()[0].tensor.values());
}

TEST_CASE("weight average: a decay outside [0, 1] is refused") {
  CHECK_FAILS(WeightAverage({}, 1.5), "decay must be in [0, 1], got 1.5");
}
