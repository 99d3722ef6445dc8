// Chapter 23: one model, trained by several processes.
#include <cstring>

#include "pocket/gpt.h"
#include "pocket/ranks.h"
#include "tutorials/23_several_machines/figures.h"
#include "tutorials/23_several_machines/processes.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/time.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace course;
using ladder::Fables;

namespace {

// [facts]
// A step of GPT-2 in gradus on two cores (docs/performance.md), in contexts of 64 tokens.
constexpr double kSecondsOfToken = 1.131 / 256;
constexpr double kTokensOfStep = 491520, kSteps = 600000;  // nanoGPT's
constexpr double kBytes = 4 * 124.4e6;                     // of the gradients
constexpr double kYear = 365.25 * 24 * 3600;
// [facts]

void opening() {
  const Part part("opening");
  const double step = kTokensOfStep * kSecondsOfToken;
  std::printf("a step of 491,520 tokens %5.0f minutes\n", step / 60);
  std::printf("all 600,000 steps        %5.0f years\n", step * kSteps / kYear);
  std::printf("a step's gradients       %5.0f MB\n", kBytes / 1e6);
}

// [small]
Gpt small_gpt(const Fables& fables, std::uint64_t seed, Scalar dropout = 0) {
  GptConfig config{.vocab_size = fables.characters.vocab_size(), .n_positions = 32};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = dropout;
  return Gpt(config, seed);
}
// [small]

// [slope]
/// The gradient, at w = 1, of the mean of (w x - y)^2 over n rows from the first one.
double slope(Index first, Index n) {
  const Tensor x = tensor({1, 2, 3, 4}), y = tensor({3, 2, 1, 8});
  Tensor w = scalar(1).set_requires_grad();
  const Tensor error = w * slice(x, 0, first, first + n) - slice(y, 0, first, first + n);
  backward(mean(error * error));
  return w.grad().item();
}
// [slope]

void four_rows() {
  const Part part("four_rows");
  // [four_rows]
  std::printf("all four rows        %6.2f\n", slope(0, 4));
  std::printf("two and two          %6.2f and %6.2f, mean %6.2f\n", slope(0, 2), slope(2, 2),
              (slope(0, 2) + slope(2, 2)) / 2);
  std::printf("three and one        %6.2f and %6.2f, mean %6.2f\n", slope(0, 3), slope(3, 1),
              (slope(0, 3) + slope(3, 1)) / 2);
  std::printf("  weighted by rows                      %6.2f\n",
              (3 * slope(0, 3) + 1 * slope(3, 1)) / 4);
  // [four_rows]
}

// [rows]
/// Rows first to end of a batch.
Batch rows(const Batch& all, Index first, Index end) {
  const Index length = all.inputs.size(1);
  const auto cut = [&](const IndexTensor& x) {
    return IndexTensor({end - first, length},
                       Tokens(x.begin() + first * length, x.begin() + end * length));
  };
  return {cut(all.inputs), cut(all.targets)};
}

/// All numbers of the gradient, one after the other; the key is that of dropout.
Tensor gradient(Gpt model, const Batch& batch, std::uint64_t key = 1) {
  const Training training(key, 0);
  const auto list = parameters(model);
  for (NamedTensor x : list) x.tensor.zero_grad();
  backward(model.loss(batch.inputs, batch.targets));
  std::vector<Scalar> all;
  for (const Tensor& x : gradients(list)) all.insert(all.end(), x.begin(), x.end());
  return tensor({std::ssize(all)}, all);
}

double largest(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}
// [rows]

// [dropout]
/// How far the joined gradient of so many shares lies from its mean, relative to that mean.
double dropout_noise(const Fables& fables, int shares, bool own_keys) {
  const Batch batch = random_batch(fables.train, 12, 32, {.seed = 1});
  const Gpt model = small_gpt(fables, 1, Scalar(0.2));
  const int draws = 100, share = 12 / shares;
  std::vector<double> sum, squares;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> joined;
    for (int r = 0; r < shares; ++r) {
      const std::uint64_t key = 100 + 12 * draw + (own_keys ? r : 0);
      const Tensor own = gradient(model, rows(batch, r * share, (r + 1) * share), key);
      joined.resize(own.size());
      for (Index i = 0; i < own.size(); ++i) joined[i] += double{own.data()[i]} / shares;
    }
    sum.resize(joined.size()), squares.resize(joined.size());
    for (std::size_t i = 0; i < joined.size(); ++i) {
      sum[i] += joined[i], squares[i] += joined[i] * joined[i];
    }
  }
  double noise = 0, mean = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    noise += (squares[i] - sum[i] * sum[i] / draws) / (draws - 1);
    mean += sum[i] / draws * sum[i] / draws;
  }
  return std::sqrt(noise / mean);
}

void dropout(const Fables& fables) {
  const Part part("dropout");
  std::printf("shares  own keys  one key\n");
  for (const int shares : {1, 2, 4, 12}) {
    std::printf("%6d %9.3f %8.3f\n", shares, dropout_noise(fables, shares, true),
                dropout_noise(fables, shares, false));
  }
}
// [dropout]

void halves(const Fables& fables) {
  const Part part("halves");
  // [halves]
  const Batch batch = random_batch(fables.train, 12, 32, {.seed = 1});
  Tokens hidden(batch.targets.begin(), batch.targets.end());
  for (Index i = 9 * 32; i < 12 * 32; ++i) hidden[i] = -100;  // the last three rows: no targets
  const Batch padded{batch.inputs, IndexTensor({12, 32}, hidden)};
  const Gpt model = small_gpt(fables, 1), dropping = small_gpt(fables, 1, Scalar(0.2));
  const auto print = [](const char* what, const Tensor& got, const Tensor& whole) {
    const double error = largest(got - whole) / largest(whole);
    error < 1e-6 ? std::printf("%-36s below 1e-6\n", what)
                 : std::printf("%-36s    %.5f\n", what, error);
  };
  const auto compare = [&](const char* what, const Gpt& model, const Batch& all, Index cut,
                           Scalar share) {
    const Tensor parts = gradient(model, rows(all, 0, cut), 2) * share +
                         gradient(model, rows(all, cut, 12), 3) * (1 - share);
    print(what, parts, gradient(model, all));
  };
  compare("6 and 6 rows, mean", model, batch, 6, Scalar(0.5));
  compare("9 and 3 rows, mean", model, batch, 9, Scalar(0.5));
  compare("9 and 3 rows, 3/4 and 1/4", model, batch, 9, Scalar(0.75));
  compare("192 and 96 targets, mean", model, padded, 6, Scalar(0.5));
  compare("192 and 96 targets, 2/3 and 1/3", model, padded, 6, Scalar(2) / 3);
  compare("6 and 6 rows, dropout, own keys", dropping, batch, 6, Scalar(0.5));
  print("all 12 rows, dropout, another key", gradient(dropping, batch, 2),
        gradient(dropping, batch));
  // [halves]
}

// [Plan]
struct Plan {
  int steps = 60;
  bool communicate = true;
  std::uint64_t start = 1;  // the seed of rank 0's weights
  bool same_start = true;   // or each rank has the next seed
  AdamWOptions options = {};
  double clip = 1;  // the norm of the mean gradient, at most
  Sum sum = sum_in_order;
};
// [Plan]

// [together]
/// What every rank does. after_step(step, loss) gets the mean loss of all ranks.
void train_together(Ranks& ranks, const Fables& fables, Gpt& model, const Plan& plan,
                    const std::function<void(int, double)>& after_step) {
  AdamW optimiser(parameters(model), plan.options);
  const Schedule schedule{.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = plan.steps};
  check(12 % ranks.size == 0, "12 rows do not divide into ", ranks.size, " shares");
  const Index share = 12 / ranks.size, first = ranks.rank * share;
  for (int step = 0; step < plan.steps; ++step) {
    const Batch all = random_batch(fables.train, 12, 32, {1, std::uint32_t(step)});
    const Batch own = rows(all, first, first + share);
    optimiser.zero_grad();
    const Tensor loss = model.loss(own.inputs, own.targets);
    backward(loss);
    if (plan.communicate) average(ranks, gradients(optimiser.parameters), plan.sum);
    optimiser.step(Scalar(schedule.at(step)), clip_scale(optimiser.gradient_norm(), plan.clip));
    average(ranks, {loss.detach()}, plan.sum);  // in loss's memory: loss becomes the mean
    after_step(step, loss.item());
  }
}
// [together]

// [apart]
std::vector<Scalar> weights(Gpt& model) {
  std::vector<Scalar> all;
  for (const NamedTensor& x : parameters(model)) {
    all.insert(all.end(), x.tensor.begin(), x.tensor.end());
  }
  return all;
}

/// The largest difference between the first two ranks' weights, for rank 0.
double apart(Ranks& ranks, Gpt& model) {
  const std::vector<Scalar> own = weights(model);
  std::vector<Scalar> other(own.size());
  if (ranks.rank == 1) ranks.transfer(0, own, 0, {});
  if (ranks.rank != 0 || ranks.size == 1) return 0;
  ranks.transfer(1, {}, 1, other);
  double most = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    most = std::max(most, std::abs(double{own[i]} - double{other[i]}));
  }
  return most;
}

struct Course {
  std::vector<double> losses, apart;  // of each step
};

Course course_of(const Fables& fables, int size, const Plan& plan) {
  Course seen;
  in_ranks(size, [&](Ranks& ranks) {
    Gpt model = small_gpt(fables, plan.start + (plan.same_start ? 0 : ranks.rank));
    train_together(ranks, fables, model, plan, [&](int, double loss) {
      seen.losses.push_back(loss), seen.apart.push_back(apart(ranks, model));
    });
  });
  return seen;
}
// [apart]

Course two(const Fables& fables) {
  const Part part("two");
  // [two]
  const Course one = course_of(fables, 1, {}), both = course_of(fables, 2, {});
  std::printf(
      "step  one process  two ranks  largest difference of rank 1's weights from rank 0's\n");
  for (const int step : {1, 20, 60}) {
    std::printf("%4d %12.4f %10.4f  %g\n", step, one.losses[step - 1], both.losses[step - 1],
                both.apart[step - 1]);
  }
  return both;
  // [two]
}

// [own_first]
/// Every rank adds all others' numbers to its own.
void own_first(Ranks& ranks, std::span<Scalar> numbers) {
  const std::vector<Scalar> own(numbers.begin(), numbers.end());
  std::vector<Scalar> arrived(own.size());
  for (int k = 1; k < ranks.size; ++k) {
    const int to = (ranks.rank + k) % ranks.size, from = (ranks.rank + ranks.size - k) % ranks.size;
    ranks.transfer(to, own, from, arrived);
    for (std::size_t i = 0; i < own.size(); ++i) numbers[i] += arrived[i];
  }
}
// [own_first]

// [own_norms]
/// By how much a rank would scale its own gradient to clip it; the loss, one number, is not
/// clipped.
Scalar own_scale(std::span<const Scalar> numbers) {
  double squares = 0;
  for (const Scalar x : numbers) squares += double{x} * x;
  return numbers.size() == 1 ? 1 : clip_scale(std::sqrt(squares), 1);
}

/// Each rank clips its own gradient; then all add up.
void clip_then_sum(Ranks& ranks, std::span<Scalar> numbers) {
  const Scalar scale = own_scale(numbers);
  for (Scalar& x : numbers) x *= scale;
  sum_in_order(ranks, numbers);
}

/// All add up; then each rank scales the sum as its own gradient would need it.
void sum_then_own_scale(Ranks& ranks, std::span<Scalar> numbers) {
  const Scalar scale = own_scale(numbers);
  sum_in_order(ranks, numbers);
  for (Scalar& x : numbers) x *= scale;
}

/// All add up; then rank 1 takes half of the sum.
void sum_then_half(Ranks& ranks, std::span<Scalar> numbers) {
  sum_in_order(ranks, numbers);
  if (ranks.rank == 0 || numbers.size() == 1) return;
  for (Scalar& x : numbers) x /= 2;
}
// [own_norms]

// [drift]
void print_drift_head() {
  std::printf("largest difference of weights after   1 step   60 steps   loss\n");
}

Curve print_drift(const char* what, const Course& seen) {
  std::printf("%-34s %9.2e %10.2e %6.2f\n", what, seen.apart[0], seen.apart[59], seen.losses[59]);
  return {what, seen.apart};
}

void drift(const Fables& fables, const Course& both) {
  const Part part("drift");
  print_drift_head();
  std::vector<Curve> curves = {print_drift("2 ranks, sum in order", both)};
  const auto row = [&](const char* what, int size, const Plan& plan) {
    curves.push_back(print_drift(what, course_of(fables, size, plan)));
  };
  row("3 ranks, sum in order", 3, {});
  row("3 ranks, ring_sum", 3, {.sum = ring_sum});
  row("3 ranks, each adds to its own", 3, {.sum = own_first});
  row("2 ranks, no sum", 2, {.communicate = false});
  row("2 ranks, different starts", 2, {.same_start = false});
  print_drift("  and no sum", course_of(fables, 2, {.communicate = false, .same_start = false}));
  row("2 ranks, scaled by own norms", 2, {.clip = 1e9, .sum = sum_then_own_scale});
  draw_drift(curves);
}

void drift_more(const Fables& fables) {
  const Part part("drift_more");
  print_drift_head();
  const auto row = [&](const char* what, const Plan& plan) {
    print_drift(what, course_of(fables, 2, plan));
  };
  row("2 ranks, each adds to its own", {.sum = own_first});
  row("2 ranks, clipped before the sum", {.clip = 1e9, .sum = clip_then_sum});
  row("different starts, no weight decay", {.same_start = false, .options = {.weight_decay = 0}});
  row("2 ranks, rank 1 takes half", {.clip = 1e9, .sum = sum_then_half});
  std::printf("%-34s %27.2f\n", "1 rank, the other start",
              course_of(fables, 1, {.start = 2}).losses[59]);
}

void starts(const Fables& fables) {
  const Part part("starts");
  std::printf("seeds of the starts   loss: sum   no sum   first start alone\n");
  for (const std::uint64_t start : {1, 3, 5, 7, 9, 11}) {
    const Plan sum{.start = start, .same_start = false};
    const Plan none{.communicate = false, .start = start, .same_start = false};
    std::printf("%8d and %2d %13.2f %8.2f %19.2f\n", int(start), int(start) + 1,
                course_of(fables, 2, sum).losses[59], course_of(fables, 2, none).losses[59],
                course_of(fables, 1, {.start = start}).losses[59]);
  }
}
// [drift]

// [via_rank_0]
/// All send to rank 0, which adds, and sends the sum back.
void sum_via_rank_0(Ranks& ranks, std::span<Scalar> numbers) {
  if (ranks.rank > 0) {
    ranks.transfer(0, numbers, 0, {});
    ranks.transfer(0, {}, 0, numbers);
    return;
  }
  std::vector<Scalar> arrived(numbers.size());
  for (int r = 1; r < ranks.size; ++r) {
    ranks.transfer(r, {}, r, arrived);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += arrived[i];
  }
  for (int r = 1; r < ranks.size; ++r) ranks.transfer(r, numbers, r, {});
}
// [via_rank_0]

void bytes(const Fables& fables) {
  const Part part("bytes");
  // [bytes]
  Gpt model = small_gpt(fables, 1);
  const std::vector<Scalar> once = weights(model);  // as many numbers as gradients
  std::printf("gradients: %zu bytes\n", once.size() * sizeof(Scalar));
  std::printf("Bytes sent by the busiest rank, as a multiple of the gradients:\n");
  std::printf("ranks  via rank 0    ring  in order  2 (N - 1) / N\n");
  for (const int size : {2, 4, 8, 16}) {
    std::printf("%5d    ", size);
    for (const Sum& sum : {Sum(sum_via_rank_0), Sum(ring_sum), Sum(sum_in_order)}) {
      in_ranks(size, [&](Ranks& ranks) {
        std::vector<Scalar> numbers = once;
        sum(ranks, numbers);
        double most = double(ranks.sent) / double(once.size() * sizeof(Scalar));
        for (int r = 1; r < size; ++r) {  // rank 0 asks all others
          Scalar theirs = Scalar(most);
          if (ranks.rank == r) ranks.transfer(0, {&theirs, 1}, 0, {});
          if (ranks.rank == 0) ranks.transfer(r, {}, r, {&theirs, 1});
          most = std::max(most, double{theirs});
        }
        if (ranks.rank == 0) std::printf("%9.2f", most);
      });
    }
    std::printf("%15.2f\n", 2 * (size - 1.0) / size);
  }
  // [bytes]
}

void orders() {
  const Part part("orders");
  // [orders]
  const Scalar large = 1e8, one = 1;
  std::printf("(1e8 + 1) - 1e8 = %g, (1e8 - 1e8) + 1 = %g\n", double{(large + one) - large},
              double{(large - large) + one});
  for (const bool ring : {true, false}) {
    in_ranks(3, [&](Ranks& ranks) {  // the ranks have 1e8, 1 and -1e8, nine times
      const Scalar own[] = {large, one, -large};
      std::vector<Scalar> numbers(9, own[ranks.rank]);
      ring ? ring_sum(ranks, numbers) : sum_in_order(ranks, numbers);
      if (ranks.rank > 0) return;
      std::printf(ring ? "ring     " : "in order ");
      for (const Scalar x : numbers) std::printf(" %g", double{x});
      std::printf("\n");
    });
  }
  // [orders]
}

void death(const Fables& fables) {
  const Part part("death");
  // [death]
  try {
    in_ranks(2, [&](Ranks& ranks) {
      Gpt model = small_gpt(fables, 1);
      train_together(ranks, fables, model, {}, [&](int step, double loss) {
        if (ranks.rank == 0) std::printf("step %d  loss %.4f\n", step + 1, loss);
        if (ranks.rank == 1 && step == 1) std::raise(SIGKILL);  // as if it had crashed
      });
    });
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  // [death]
}

// [sockets]
struct Line {
  double latency, bandwidth;  // seconds, and bytes in a second
};

Line sockets() {
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
/// The seconds of a step of N machines, each of which computes for `compute` seconds.
double step_seconds(int machines, double compute, double bytes, double bandwidth,
                    double latency = 30e-6) {  // a guess, which hardly matters for GPT-2
  const double n = machines;
  return compute + 2 * (n - 1) * latency + 2 * (n - 1) / n * bytes / bandwidth;
}
// [model]

// [pays]
/// The seconds of a training's shortest step.
double shortest_step(const Fables& fables, int size, const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  double shortest = 1e9;
  in_ranks(size, [&](Ranks& ranks) {
    Gpt model = small_gpt(fables, 1);
    auto start = Clock::now();
    train_together(ranks, fables, model, plan, [&](int, double) {
      const auto end = Clock::now();
      shortest = std::min(shortest, std::chrono::duration<double>(end - start).count());
      start = end;
    });
  });
  return shortest;
}

void pays(const Fables& fables, const Line& line) {
  Gpt model = small_gpt(fables, 1);
  const double bytes = double(weights(model).size() * sizeof(Scalar));
  const auto adding = [](std::size_t most) {  // of a gradient; the loss, one number, always
    return [=](Ranks& ranks, std::span<Scalar> numbers) {
      if (numbers.size() == 1 || most > 0) sum_in_order(ranks, numbers.first(1));
    };
  };
  double one = 1e9, no_sum = 1e9, packed = 1e9, one_number = 1e9, both = 1e9;
  for (int turn = 0; turn < 2; ++turn) {  // so that a slow moment hits all
    one = std::min(one, shortest_step(fables, 1, {}));
    no_sum = std::min(no_sum, shortest_step(fables, 2, {.communicate = false}));
    packed = std::min(packed, shortest_step(fables, 2, {.sum = adding(0)}));
    one_number = std::min(one_number, shortest_step(fables, 2, {.sum = adding(1)}));
    both = std::min(both, shortest_step(fables, 2, {}));
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

const std::vector<int> kMachines = {1, 2, 4, 8, 16, 32, 64};

void print_machines(const char* what) {
  std::printf("%-26s", what);
  for (const int n : kMachines) std::printf("%6d", n);
  std::printf("\n");
}

/// Prints value(N) for each N.
Curve print_curve(const char* what, const std::function<double(int)>& value) {
  Curve curve{what, {}};
  for (const int n : kMachines) curve.values.push_back(value(n));
  std::printf("  %-24s", what);
  for (const double x : curve.values) std::printf("%6.1f", x);
  std::printf("\n");
  return curve;
}

// [scaling]
void scaling() {
  const Part part("scaling");
  const double whole = kTokensOfStep * kSecondsOfToken, gigabit = 1e9 / 8;
  print_machines("speed-up, machines:");
  std::vector<Curve> speeds;
  for (const double gigabits : {10.0, 1.0, 0.1}) {
    char name[40];
    std::snprintf(name, sizeof name, "at %g Gb/s", gigabits);
    speeds.push_back(print_curve(name, [&](int n) {
      return whole / step_seconds(n, whole / n, kBytes, gigabits * gigabit);
    }));
  }
  speeds.push_back(print_curve("0.1 Gb/s, through rank 0", [&](int n) {
    return whole / (whole / n + 2 * (n - 1) * kBytes / (0.1 * gigabit));
  }));
  speeds.erase(speeds.begin());  // 10 Gb/s lies on the line of sums that take no time
  draw_scaling(kMachines, speeds);
}

void step_of_64() {
  const Part part("step_of_64");
  std::printf("64 machines, 0.1 Gb/s: a step computes for %.0f s, and sends for %.0f s\n",
              kTokensOfStep * kSecondsOfToken / 64, step_seconds(64, 0, kBytes, 1.25e7));
  std::printf("through rank 0, 63 gradients, %.0f GB, come in through one link in %.0f minutes\n",
              63 * kBytes / 1e9, 63 * kBytes / 1.25e7 / 60);
}
// [scaling]

void answer() {
  const Part part("answer");
  // [answer]
  const double whole = kTokensOfStep * kSecondsOfToken;
  std::printf("%50s   speed-up\n", "years");
  const auto print = [&](const char* what, double seconds) {
    std::printf("%-43s %6.2f", what, seconds * kSteps / kYear);
    seconds < whole / 64 * 1.001 ? std::printf("\n") : std::printf("%11.1f\n", whole / seconds);
  };
  print("one machine", whole);
  print("64 machines at 10 Gb/s", step_seconds(64, whole / 64, kBytes, 1.25e9));
  const double compute = whole / 64, sum = step_seconds(64, 0, kBytes, 1.25e7);
  print("64 machines at 0.1 Gb/s", compute + sum);
  print("  if sums took twice as long", compute + sum * 2);
  print("  a quarter of the sums", compute + sum / 4);
  print("  a mean every 50 steps", compute + sum / 50);
  print("one machine, 1/64 of each batch, no network", compute);
  // [answer]
}

// [local]
struct Local {
  int ranks = 4, rows = 4, steps = 400;  // rows of each rank, and of all together 16
  double rate = 5e-3;
  int warmup = 60;     // steps
  int every = 0;       // steps between two averages of weights; 0: gradients are averaged
  bool outer = false;  // DiLoCo's step on the averages
  bool same_start = true;
  double most_norm = 1;  // the gradient is clipped to it
};

std::vector<Tensor> handles(Gpt& model) {
  std::vector<Tensor> list;
  for (const NamedTensor& x : parameters(model)) list.push_back(x.tensor);
  return list;
}

/// DiLoCo: what all have moved, on average, is a gradient for SGD with Nesterov's momentum.
void outer_step(Gpt& model, std::vector<Scalar>& before, std::vector<Scalar>& velocity) {
  std::size_t i = 0;
  for (Tensor& x : handles(model)) {
    for (Scalar* w = x.mutable_data(); w != x.end(); ++w, ++i) {
      const Scalar moved = before[i] - *w;
      velocity[i] = Scalar(0.9) * velocity[i] + moved;
      *w = before[i] -= Scalar(0.7) * (moved + Scalar(0.9) * velocity[i]);
    }
  }
}

/// The held-out loss of a training in which each rank draws rows of its own.
double local_loss(const Fables& fables, const Local& local, std::uint64_t seed) {
  double loss = 0;
  const auto work = [&](Ranks& ranks) {
    Gpt model = small_gpt(fables, local.same_start ? seed : 100 * seed + ranks.rank);
    AdamW optimiser(parameters(model), {});
    const Schedule schedule{local.rate, local.rate / 10, local.warmup, local.steps};
    std::vector<Scalar> before = weights(model), velocity(before.size());
    for (int step = 0; step < local.steps; ++step) {
      const RandomKey key{seed * 100 + ranks.rank, std::uint32_t(step)};
      const auto [inputs, targets] = random_batch(fables.train, local.rows, 32, key);
      optimiser.zero_grad();
      backward(model.loss(inputs, targets));
      if (local.every == 0) average(ranks, gradients(optimiser.parameters), sum_in_order);
      const double norm = optimiser.gradient_norm();
      optimiser.step(Scalar(schedule.at(step)), clip_scale(norm, local.most_norm));
      if (local.every == 0 || (step + 1) % local.every != 0) continue;
      average(ranks, handles(model), sum_in_order);
      if (local.outer) outer_step(model, before, velocity);
    }
    if (ranks.rank == 0) loss = mean_loss(fables.held_out, 32, model);
  };
  in_ranks(local.ranks, work, 3600);
  return loss;
}
// [local]

// [long]
/// A way to train, and its losses at the rates x 1, x 2 and x 4.
struct Way {
  const char* how;
  int sums;
  Local local;
  std::vector<std::vector<double>> losses = {};  // of five seeds each
};

double mean_of(const std::vector<double>& losses) {  // as printed
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / double(losses.size());
  return std::round(mean * 1000) / 1000;
}

/// Prints a setting's loss, the mean of five seeds, and returns those of the seeds.
std::vector<double> print_row(const Fables& fables, const char* what, const Local& local) {
  std::vector<double> losses;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    losses.push_back(local_loss(fables, local, seed));
  }
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  std::printf("%-36s %.3f  %.3f to %.3f\n", what, mean_of(losses), *least, *most);
  return losses;
}

/// What share of the gap from the last way to the first each one closes, at its best rate.
void print_kept(const std::vector<Way>& ways) {
  const Part part("kept");
  const auto best = [](const Way& way) {
    const auto less = [](const auto& a, const auto& b) { return mean_of(a) < mean_of(b); };
    return *std::min_element(way.losses.begin(), way.losses.end(), less);
  };
  const auto most = best(ways.front()), alone = best(ways.back());
  const auto kept = [](double way, double most, double alone) {
    return 100 * (alone - way) / (alone - most);
  };
  std::printf("                  sums   rate x 1    x 2     x 4    kept  five seeds, %%\n");
  for (const Way& way : ways) {
    std::printf("%-17s %4d   ", way.how, way.sums);
    for (std::size_t i = 0; i < 3; ++i) {
      i < way.losses.size() ? std::printf("%8.3f", mean_of(way.losses[i])) : std::printf("%8s", "");
    }
    std::printf("%7.0f%%", kept(mean_of(best(way)), mean_of(most), mean_of(alone)));
    std::vector<double> each;  // each seed beside the same seed of the other two
    for (std::size_t i = 0; i < 5; ++i) each.push_back(kept(best(way)[i], most[i], alone[i]));
    const auto [least, greatest] = std::minmax_element(each.begin(), each.end());
    *greatest - *least > 0.5 ? std::printf("%6.0f to %.0f\n", *least, *greatest)
                             : std::printf("\n");
  }
}

void long_run(const Fables& fables) {
  dropout(fables);
  starts(fables);
  std::vector<Way> ways = {{"gradients", 400, {}},
                           {"means of weights", 400, {.every = 1}},
                           {"means of weights", 100, {.every = 4}},
                           {"means of weights", 40, {.every = 10}},
                           {"means of weights", 8, {.every = 50}},
                           {"means of weights", 4, {.every = 100}},
                           {"means of weights", 1, {.every = 400}}};
  Way larger{"larger batch", 100, {}}, alone{"one rank alone", 0, {.ranks = 1}};
  const auto add = [&](Way& way, int times) {
    char name[60];
    std::snprintf(name, sizeof name, "%s, sums: %d, x %d", way.how, way.sums, times);
    way.local.rate = times * 5e-3;
    way.losses.push_back(print_row(fables, name, way.local));
  };
  {
    const Part part("rates");
    std::printf("4 ranks of 4 rows, 400 steps         loss   five seeds\n");
    for (const int times : {1, 2, 4}) {
      for (Way& way : ways) {
        if (times < 4 || way.sums >= 40) add(way, times);
      }
      if (times < 4) add(alone, times);
    }
    print_row(fables, "one rank alone, x 1/2", {.ranks = 1, .rate = 2.5e-3});
  }
  {
    const Part part("controls");
    const double unlimited = 1e9;
    std::printf("4 ranks of 4 rows, 400 steps         loss   five seeds\n");
    print_row(fables, "gradients, without clipping", {.most_norm = unlimited});
    print_row(fables, "400 means, without clipping", {.every = 1, .most_norm = unlimited});
    print_row(fables, "8 means, outer step", {.every = 50, .outer = true});
    print_row(fables, "1 mean, from different starts", {.every = 400, .same_start = false});
  }
  {
    const Part part("batches");
    std::printf("100 steps                            loss   five seeds\n");
    const auto row = [&](const char* what, int rows, int times, int warmup) {
      return print_row(fables, what,
                       {.rows = rows, .steps = 100, .rate = times * 5e-3, .warmup = warmup});
    };
    row("16 rows, x 1, warm-up of 40", 4, 1, 40);
    row("16 rows, x 2, warm-up of 40", 4, 2, 40);
    larger.losses.push_back(row("64 rows, x 1, warm-up of 40", 16, 1, 40));
    row("64 rows, x 2, warm-up of 20", 16, 2, 20);
    larger.losses.push_back(row("64 rows, x 2, warm-up of 40", 16, 2, 40));
    row("64 rows, x 3, warm-up of 60", 16, 3, 60);
    row("64 rows, x 4, warm-up of 40", 16, 4, 40);
    larger.losses.push_back(row("64 rows, x 4, warm-up of 80", 16, 4, 80));
    row("64 rows, x 6, warm-up of 80", 16, 6, 80);
  }
  ways.push_back(larger), ways.push_back(alone);
  print_kept(ways);
}
// [long]

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Fables fables;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(fables);
    return 0;
  }
  opening();
  four_rows();
  halves(fables);
  const Course both = two(fables);
  drift(fables, both);
  drift_more(fables);
  bytes(fables);
  orders();
  death(fables);
  pays(fables, sockets());
  scaling();
  step_of_64();
  answer();
}
// [main]
