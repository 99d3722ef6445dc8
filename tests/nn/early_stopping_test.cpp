#include "nn/train/early_stopping.h"

#include <cmath>

#include "tests/autograd/expect.h"

using namespace gradus;

TEST_CASE("early stopping: as many evaluations without improvement as patience allows") {
  EarlyStopping stopping{.patience = 2};
  CHECK_FALSE(stopping.stops(3));
  CHECK_FALSE(stopping.stops(3.5));
  CHECK_FALSE(stopping.stops(2.5));  // improves: the count begins again
  CHECK(stopping.best == 2.5);
  CHECK_FALSE(stopping.stops(2.5));  // equal is no improvement
  CHECK(stopping.waited == 1);
  CHECK(stopping.stops(2.6));
}

TEST_CASE("early stopping: too small an improvement does not count, however often") {
  EarlyStopping stopping{.patience = 3, .least_improvement = 0.25};
  CHECK_FALSE(stopping.stops(2));
  CHECK_FALSE(stopping.stops(1.875));
  CHECK_FALSE(stopping.stops(1.75));  // 0.25 below the best: must be more
  CHECK(stopping.best == 2);
  CHECK_FALSE(stopping.stops(1.625));
  CHECK(stopping.best == 1.625);
}

TEST_CASE("early stopping: NaN is no improvement") {
  EarlyStopping stopping{.patience = 2};
  CHECK_FALSE(stopping.stops(std::nan("")));
  CHECK(stopping.stops(std::nan("")));
}

TEST_CASE("early stopping: what was kept goes on where it was") {
  EarlyStopping stopping{.patience = 2};
  stopping.stops(1);
  stopping.stops(2);
  EarlyStopping resumed{.patience = 2, .best = stopping.best, .waited = stopping.waited};
  CHECK(resumed.stops(1.5));
}

TEST_CASE("early stopping: wrong settings are named") {
  CHECK_FAILS(EarlyStopping{.patience = 0}.stops(1), "patience must be at least 1, got 0");
  CHECK_FAILS(EarlyStopping{.least_improvement = -1}.stops(1),
              "least_improvement must not be negative, got -1");
}
