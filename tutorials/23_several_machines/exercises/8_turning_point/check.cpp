#include "tutorials/common/check.h"

#include <random>

#include "tutorials/23_several_machines/exercises.h"

using gradus::green, gradus::red;

namespace {

/// The smallest N from 2 on at which a sum takes longer than computing.
template <class Sum, class Compute>
int first(const Sum& sum, const Compute& compute) {
  for (int n = 2; n < 1000000; ++n) {
    if (sum(double(n)) > compute(double(n))) return n;
  }
  return 0;
}

void ask(const std::string& what, double compute, double bytes, double bandwidth, double latency) {
  const auto own = [&](double n) { return compute / n; };
  const double once = bytes / bandwidth;
  const auto ring = [&](double n) { return 2 * (n - 1) * (latency + once / n); };
  const auto star = [&](double n) { return 2 * (n - 1) * (latency + once); };
  const TurningPoint got = my_turning_point(compute, bytes, bandwidth, latency);
  const auto ask_one = [&](const char* which, int mine, const auto& sum) {
    const int right = first(sum, own);
    if (mine == right) return;
    red(what, ", ", which, ": got ", mine, ", expected ", right,
        gradus::likely("compare the time of the sum with compute / N, for N = 2, 3, 4 ..."));
  };
  ask_one("ring", got.ring, ring);
  ask_one("through rank 0", got.through_rank_0, star);
  green(what, ": from ", got.ring, " machines in the ring, ", got.through_rank_0,
        " through rank 0");
}

}  // namespace

CHECK_ANSWER() {
  ask("few bytes, a slow start of each message", 2, 4e5, 1e9, 1e-3);
  ask("GPT-2, 0.1 Gb/s", 2172, 498e6, 1.25e7, 30e-6);
  ask("GPT-2, 0.1 Gb/s, sums twice as long", 2172, 2 * 498e6, 1.25e7, 60e-6);
  ask("GPT-2, 1 Gb/s", 2172, 498e6, 1.25e8, 30e-6);
  ask("computing as long as sending at four machines of the ring", 6, 8, 8, 0);
  ask("computing as long as sending at three machines through rank 0", 12, 8, 8, 0);
  ask("hardly any computing", 1e-9, 8, 8, 1e-6);
  ask("no bytes", 1, 0, 1e9, 1e-4);
  std::mt19937 random(23);
  const auto between = [&](double least, double most) {  // all orders of magnitude alike
    return least * std::pow(most / least, double(random()) / double(random.max()));
  };
  for (int i = 0; i < 10; ++i) {
    char what[80];
    const double compute = between(1e-3, 1e4), bytes = between(1e3, 1e9);
    const double bandwidth = between(1e7, 1e10), latency = between(1e-5, 1e-2);
    std::snprintf(what, sizeof what, "%.3g s, %.3g bytes, %.3g a second, latency %.3g s", compute,
                  bytes, bandwidth, latency);
    ask(what, compute, bytes, bandwidth, latency);
  }
  ask("a step of a day", 86400, 4e6, 1.25e8, 1e-6);
}
