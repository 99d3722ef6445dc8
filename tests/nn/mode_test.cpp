#include "nn/mode.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/dropout.h"
#include "nn/optim/train_options.h"

using namespace gradus;

namespace {

bool same(const RandomKey& a, const RandomKey& b) {
  return a.seed == b.seed && a.step == b.step && a.place == b.place;
}

}  // namespace

TEST_CASE("training: a scope hands out keys of its seed and step, each another place") {
  const Training training(5, 17);
  const RandomKey first = Training::next_key();
  const RandomKey second = Training::next_key();
  CHECK(first.seed == 5);
  CHECK(first.step == 17);
  CHECK(second.place == first.place + 1);
}

TEST_CASE("training: dropout's places lie above the places of batches") {
  const Training training(5, 17);
  CHECK(Training::next_key().place >= 65536);
}

TEST_CASE("training: the same seed and step draw the same keys again") {
  RandomKey before;
  {
    const Training training(5, 17);
    before = Training::next_key();
  }
  const Training training(5, 17);
  CHECK(same(Training::next_key(), before));
}

TEST_CASE("training: scopes nest, and the inner one leaves the outer as it was") {
  CHECK_FALSE(Training::active());
  {
    const Training outer(1, 1);
    const RandomKey first = Training::next_key();
    {
      const Training inner(2, 2);
      CHECK(Training::next_key().seed == 2);
    }
    CHECK(Training::active());
    CHECK(same(Training::next_key(), {1, 1, first.place + 1}));
  }
  CHECK_FALSE(Training::active());
}

TEST_CASE("training: without a scope there is no key to draw") {
  CHECK_THROWS_WITH_AS(Training::next_key(), doctest::Contains("needs a Training object"),
                       std::logic_error);
}

TEST_CASE("training: dropout drops within a scope and leaves all as it is without one") {
  const Tensor x = ones({101});
  CHECK(dropout_in_training(x, Scalar(0.5)).data() == x.data());
  const Training training(3, 0);
  const Tensor y = dropout_in_training(x, Scalar(0.5));
  const auto dropped = std::count(y.begin(), y.end(), Scalar(0));
  CHECK(dropped > 20);
  CHECK(dropped < 81);
  CHECK(std::count(y.begin(), y.end(), Scalar(2)) == 101 - dropped);
  CHECK(y.values() == dropout(x, Scalar(0.5), {3, 0, 65536}).values());
}

TEST_CASE("training: two layers of a step drop different elements, and p = 0 draws no key") {
  const Tensor x = ones({101});
  const Training training(3, 0);
  const std::vector<Scalar> first = dropout_in_training(x, Scalar(0.5)).values();
  CHECK(dropout_in_training(x, 0).data() == x.data());
  CHECK(dropout_in_training(x, Scalar(0.5)).values() != first);
  CHECK(Training::next_key().place == 65536 + 2);
}

TEST_CASE("key sequence: keys of one seed, none twice, and none that a step of training draws") {
  KeySequence keys(9);
  const RandomKey first = keys.next();
  CHECK(first.seed == 9);
  CHECK(first.step > kMostSteps);
  CHECK(same(keys.next(), {9, first.step, first.place + 1}));
}
