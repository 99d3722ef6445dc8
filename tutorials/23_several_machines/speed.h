/// @file
/// Chapter 23: the time of a step here, and the estimated time of GPT-2's step on a network.
#pragma once

#include "together.h"
#include "tutorials/23_several_machines/figures.h"
#include "tutorials/common/time.h"

// [facts]
// A step of GPT-2 in gradus on two virtual cores of an AMD EPYC (Zen 4), in contexts of 64 tokens:
// one run, which docs/cluster.md uses, too. docs/performance.md has newer runs.
inline constexpr double kSecondsOfToken = 1.131 / 256;
inline constexpr double kTokensOfStep = 491520, kSteps = 600000;  // nanoGPT's
inline constexpr double kBytes = 4 * 124.4e6;                     // of the gradients
inline constexpr double kYear = 365.25 * 24 * 3600;
// [facts]

inline void opening() {
  const Part part("opening");
  const double step = kTokensOfStep * kSecondsOfToken;
  std::printf("a step of 256 tokens     %9.3f s\n", 256 * kSecondsOfToken);
  std::printf("a step of 491,520 tokens %5.0f minutes\n", step / 60);
  std::printf("all 600,000 steps        %5.0f years\n", step * kSteps / kYear);
  std::printf("a step's gradients       %5.0f MB\n", kBytes / 1e6);
}

// [sockets]
struct Line {
  double latency, bandwidth;  // seconds, and bytes in a second
};

inline Line sockets() {
  const Part part("sockets");
  Line line{};
  in_ranks(2, [&](Ranks& ranks) {
    std::vector<double> bytes, seconds;
    for (const int n : {1, 1000, 30000, 300000, 3000000}) {
      std::vector<Scalar> out(n), in(n);
      const int times = n < 100000 ? 200 : 2, other = 1 - ranks.rank;
      bytes.push_back(4.0 * n);
      seconds.push_back(shortest_seconds(10,
                                         [&] {
                                           for (int i = 0; i < times; ++i)
                                             ranks.transfer(other, out, other, in);
                                         }) /
                        times);
    }
    if (ranks.rank > 0) return;
    const double latency = seconds[0], bandwidth = bytes[3] / (seconds[3] - latency);
    line = {latency, bandwidth};
    std::printf("latency %.0f microseconds, bandwidth %.1f GB/s\n", latency * 1e6, bandwidth / 1e9);
    std::printf("     bytes  microseconds  latency + bytes / bandwidth  ratio\n");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const double fitted = latency + bytes[i] / bandwidth;
      std::printf("%10.0f %13.0f %20.0f %14.2f\n", bytes[i], seconds[i] * 1e6, fitted * 1e6,
                  seconds[i] / fitted);
    }
  });
  return line;
}
// [sockets]

// [model]
/// The seconds of a step of N machines, each of which computes for `share` seconds.
inline double step_seconds(int machines, double share, double bytes, double bandwidth,
                           double latency = 30e-6) {  // a guess, which hardly matters for GPT-2
  const double n = machines;
  return share + 2 * (n - 1) * latency + 2 * (n - 1) / n * bytes / bandwidth;
}
// [model]

// [pays]
/// The seconds of a training's shortest step.
inline double shortest_step(const Tales& tales, int size, const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  double shortest = 1e9;
  in_ranks(size, [&](Ranks& ranks) {
    Gpt model = small_gpt(tales, 1);
    auto start = Clock::now();
    train_together(ranks, tales, model, plan, [&](int, double) {
      const auto end = Clock::now();
      shortest = std::min(shortest, std::chrono::duration<double>(end - start).count());
      start = end;
    });
  });
  return shortest;
}

inline void pays(const Tales& tales, const Line& line) {
  Gpt model = small_gpt(tales, 1);
  const double bytes = double(weights(model).size() * sizeof(Scalar));
  const auto adding = [](std::size_t most) {  // numbers of a gradient; the loss is always added
    return [=](Ranks& ranks, std::span<Scalar> numbers) {
      if (numbers.size() == 1 || most > 0) sum_in_order(ranks, numbers.first(1));
    };
  };
  double one = 1e9, no_sum = 1e9, packed = 1e9, one_number = 1e9, both = 1e9;
  for (int turn = 0; turn < 2; ++turn) {  // so that a slow moment affects all
    one = std::min(one, shortest_step(tales, 1, {}));
    no_sum = std::min(no_sum, shortest_step(tales, 2, {.communicate = false}));
    packed = std::min(packed, shortest_step(tales, 2, {.sum = adding(0)}));
    one_number = std::min(one_number, shortest_step(tales, 2, {.sum = adding(1)}));
    both = std::min(both, shortest_step(tales, 2, {}));
  }
  const auto print = [&](const char* what, double seconds) {
    std::printf("%-30s %5.2f %10.2f\n", what, seconds * 1e3, one / seconds);
  };
  {
    const Part part("pays");
    std::printf("                                  ms   speed-up\n");
    print("one process, 12 rows", one);
    print("two ranks, no sum of gradients", no_sum);
    print("  with the sum, by the formula",
          step_seconds(2, no_sum, bytes, line.bandwidth, line.latency));
    print("  with the sum, measured", both);
  }
  const Part more("packing");
  print("two ranks, no sum of gradients", no_sum);
  print("  packed, but not sent", packed);
  print("  packed, and one number added", one_number);
}
// [pays]

// [scaling]
/// Prints the speed-up over one machine, and returns it for 1 to 64 machines.
inline Curve speed_up(const char* network, const std::function<double(int machines)>& seconds) {
  Curve curve{network, {}};
  for (int n = 1; n <= 64; ++n) curve.values.push_back(seconds(1) / seconds(n));
  std::printf("  %-24s", network);
  for (int n = 1; n <= 64; n *= 2) std::printf("%6.1f", curve.values[n - 1]);
  std::printf("\n");
  return curve;
}

inline void scaling() {
  const Part part("scaling");
  const double whole = kTokensOfStep * kSecondsOfToken, gigabit = 1e9 / 8;
  const auto ring = [&](double gigabits) {
    return [=](int n) { return step_seconds(n, whole / n, kBytes, gigabits * gigabit); };
  };
  std::printf("speed-up, machines:            1     2     4     8    16    32    64\n");
  speed_up("at 10 Gb/s", ring(10));
  draw_scaling({speed_up("at 1 Gb/s", ring(1)), speed_up("at 0.1 Gb/s", ring(0.1)),
                speed_up("0.1 Gb/s, through rank 0", [&](int n) {
                  return whole / n + 2 * (n - 1) * kBytes / (0.1 * gigabit);
                })});
}

inline void step_of_64() {
  const Part part("step_of_64");
  std::printf("64 machines, 0.1 Gb/s: a step computes for %.0f s, and sends for %.0f s\n",
              kTokensOfStep * kSecondsOfToken / 64, step_seconds(64, 0, kBytes, 1.25e7));
  std::printf("through rank 0, 63 gradients, %.0f GB, come in through one link in %.0f minutes\n",
              63 * kBytes / 1e9, 63 * kBytes / 1.25e7 / 60);
}
// [scaling]

inline void answer() {
  const Part part("answer");
  // [answer]
  const double whole = kTokensOfStep * kSecondsOfToken;
  std::printf("%50s   speed-up   kept\n", "years");
  const auto print = [&](const char* what, double seconds, int kept) {
    std::printf("%-43s %6.2f", what, seconds * kSteps / kYear);
    kept > 0 ? std::printf("%11.1f", whole / seconds) : std::printf("%11s", "");
    std::printf("%6d%%\n", kept);  // with four ranks of the small GPT (long.txt)
  };
  print("one machine", whole, 100);
  print("64 machines at 10 Gb/s", step_seconds(64, whole / 64, kBytes, 1.25e9), 100);
  const double compute = whole / 64, sum = step_seconds(64, 0, kBytes, 1.25e7);
  print("64 machines at 0.1 Gb/s", compute + sum, 100);
  print("  if sums took twice as long", compute + sum * 2, 100);
  print("  in 16 bits", compute + sum / 2, 99);
  print("  sent while computing, at best", std::max(compute, sum), 100);
  print("  means of weights, a quarter of the sums", compute + sum / 4, 73);
  print("  means of weights, every 50 steps", compute + sum / 50, 4);
  print("one machine, 1/64 of each batch, no network", compute, 0);
  // [answer]
}
