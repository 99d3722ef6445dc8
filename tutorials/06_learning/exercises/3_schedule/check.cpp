#include "tutorials/common/check.h"

#include "pocket/learn.h"

using gradus::green;
using namespace pocket;

namespace {

double right(const Schedule& s, std::int64_t step) {
  if (step < s.warmup) return s.rate * double(step + 1) / double(s.warmup + 1);
  const double done = std::min(1.0, double(step - s.warmup) / double(s.decay - s.warmup));
  return s.floor + (1 + std::cos(std::numbers::pi * done)) / 2 * (s.rate - s.floor);
}

}  // namespace

CHECK_ANSWER() {
  for (const Schedule& s : {Schedule{1, 0.1, 4, 24}, Schedule{1e-3, 0, 100, 5000},
                            Schedule{1e4, 1e4, 0, 10}, Schedule{0.3, 0.05, 0, 7}}) {
    for (const std::int64_t step :
         {std::int64_t{0}, std::int64_t{1}, s.warmup - 1, s.warmup, s.warmup + 1,
          (s.warmup + s.decay) / 2, s.decay - 1, s.decay, s.decay + 1, 3 * s.decay}) {
      if (step < 0) continue;
      const double got = s.at(step), expected = right(s, step);
      const char* cause =
          !std::isfinite(got)           ? "a division by 0"
          : step < s.warmup && got == 0 ? "step 0 must move already: (step + 1) / (warmup + 1)"
          : step < s.warmup  ? "the rise is even, (step + 1) / (warmup + 1), and ends at rate"
          : step > s.decay   ? "after `decay` steps the rate stays at floor"
          : step == s.decay  ? "at `decay` the cosine has arrived at floor"
          : step == s.warmup ? "after warm-up the cosine begins at rate"
                             : "half a cosine: from 1 to 0 by (1 + cos(pi done)) / 2, with done "
                               "counted from the end of warm-up";
      gradus::expect_number(gradus::detail::text("rate ", s.rate, ", floor ", s.floor, ", warmup ",
                                                 s.warmup, ", decay ", s.decay, ", step ", step),
                            got, expected, 1e-9 * std::min(1.0, s.rate), cause);
    }
    green("one schedule");
  }
}
