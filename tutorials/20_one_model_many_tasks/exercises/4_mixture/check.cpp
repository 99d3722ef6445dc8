#if defined(__GNUC__) && !defined(__clang__)  // this check trains, and checks are built without -O
#pragma GCC optimize("O3", "inline", "inline-functions", "inline-small-functions")
#endif

#include "tutorials/common/check.h"

#include <chrono>

#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/20_one_model_many_tasks/rows.h"

using gradus::green, gradus::red;

namespace {

constexpr std::uint32_t kBatches = 4000;

/// One batch, which must have all its rows.
std::vector<Index> batch(const std::string& what, const std::vector<double>& examples,
                         double temperature, Index rows, const RandomKey& key) {
  const std::vector<Index> counts = rows_of_tasks(examples, temperature, rows, key);
  if (counts.size() != examples.size()) {
    red(what + ": got " + std::to_string(counts.size()) + " counts, expected " +
        std::to_string(examples.size()) + "\nlikely cause: return a count for each task");
  }
  Index sum = 0;
  for (const Index n : counts) {
    sum += n;
    if (n < 0) red(what + ": got a count of " + std::to_string(n) + "\nlikely cause: count rows");
  }
  if (sum != rows) {
    red(what + ": got " + std::to_string(sum) + " rows, expected " + std::to_string(rows) +
        "\nlikely cause: each row is of one task; a weight that is infinite, or no number, is of " +
        "none");
  }
  return counts;
}

/// Draws thousands of batches: each task's part of the rows must be near its share.
void ask(const std::string& what, const std::vector<double>& examples, double temperature,
         Index rows, const std::vector<double>& shares, const std::string& cause) {
  std::vector<double> drawn(examples.size());
  for (std::uint32_t step = 0; step < kBatches; ++step) {
    const std::vector<Index> counts = batch(what, examples, temperature, rows, {7, step, 3});
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] += double(counts[i]);
  }
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double all = double(kBatches) * double(rows), got = drawn[i] / all;
    if (std::abs(got - shares[i]) <= 5 * std::sqrt(shares[i] * (1 - shares[i]) / all)) continue;
    std::ostringstream message;
    message.precision(4);
    message << what << ": task " << i << " got " << got << " of the rows of " << kBatches
            << " batches, expected about " << shares[i] << "\nlikely cause: " << cause;
    red(message.str());
  }
  green(what);
}

/// Rows that know nothing of each other spread as heads and tails do.
void ask_spread() {
  double sum = 0, squares = 0;
  for (std::uint32_t step = 0; step < kBatches; ++step) {
    const auto n = double(batch("two equal tasks", {50, 50}, 1, 10, {1, step, 0})[0]);
    sum += n, squares += n * n;
  }
  const double mean = sum / kBatches, variance = squares / kBatches - mean * mean;
  if (std::abs(variance - 2.5) <= 0.3) return green("each row has a draw of its own");
  std::ostringstream message;
  message.precision(3);
  message << "two equal tasks, 10 rows: the first gets " << mean
          << " on average, with a variance of " << variance
          << ", expected about 2.5, as of heads in 10 tosses\nlikely cause: "
          << (std::abs(mean - 5) > 0.5 ? "each task gets its share of the rows"
              : variance > 2.5         ? "each row has a draw of its own; here rows share one"
                                       : "a row's task does not depend on the other rows'");
  red(message.str());
}

void ask_keys() {
  const auto at = [](const RandomKey& key) {
    return batch("three tasks, 1000 rows", {3, 2, 1}, 1, 1000, key);
  };
  const RandomKey key{1, 2, 3};
  const std::vector<Index> one = at(key);
  bool seed = false, step = false, place = false;  // does another one give another batch?
  for (std::uint32_t i = 10; i < 40; ++i) {
    seed |= at({i, 2, 3}) != one, step |= at({1, i, 3}) != one, place |= at({1, 2, i}) != one;
  }
  if (at(key) != one) {
    red("equal keys give equal batches: they differ\nlikely cause: all chance must come from "
        "`key`, so that a run can be repeated");
  }
  if (!seed || !step || !place) {
    red("other keys give other batches: they are equal\nlikely cause: draw each row, with all of "
        "`key`: "
        "seed, step and place");
  }
  green("equal keys give equal batches, and other keys others");
}

/// The rows of a share without chance.
Index rounded(double share, Index rows) { return Index(std::floor(share * double(rows) + 0.5)); }

struct TooSlow {};

/// 2000 tweets and 20 translations: three temperatures.
void measure() {
  using namespace tasks;
  constexpr Index kFew = 20, kRows = 16;
  constexpr int kSteps = 300;
  const Course course(2000, 200);
  const tasks::Rows few(course.train[1].begin(), course.train[1].begin() + kFew);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(45);
  std::printf("\n2000 tweets and 20 translations, %d steps with %d rows each ...\n", kSteps,
              int(kRows));
  std::printf("             translations' share of the rows  each is   loss on translations\n");
  std::printf("temperature  wanted  rounded  drawn           read      those 20  held out\n");
  for (const double temperature : {1., 3., 1000.}) {
    Gpt model = new_gpt(course, 1);
    double drawn = 0;
    learn(model, kSteps, [&](int step) {
      if (std::chrono::steady_clock::now() > end) throw TooSlow();
      const auto at = std::uint32_t(step);
      const std::vector<Index> counts =
          rows_of_tasks({2000, double(kFew)}, temperature, kRows, {1, at, 9});
      tasks::Rows rows = course.draw({counts[0]}, 1, step);
      for (Index i = 0; i < counts[1]; ++i) {
        rows.push_back(few[std::size_t(uniform_index({1, at, 1}, i, kFew))]);
      }
      drawn += double(counts[1]);
      const auto [inputs, targets] = tasks::batch_of(rows);
      return model.loss(inputs, targets);
    });
    const double a = std::pow(2000, 1 / temperature), b = std::pow(kFew, 1 / temperature);
    std::printf("%11.0f %7.3f %8.3f %6.3f %10.1f times %9.2f %9.2f\n", temperature, b / (a + b),
                double(rounded(b / (a + b), kRows)) / kRows, drawn / kSteps / kRows, drawn / kFew,
                score(model, few).loss, score(model, course.held_out[1]).loss);
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask_keys();
    ask_spread();
    ask("3000, 1000 and 1000 examples, 10 rows", {3000, 1000, 1000}, 1, 10, {0.6, 0.2, 0.2},
        "each task gets its share of the rows, by a power of the count, not an exponential of it");
    ask("a task with few examples, which comes in some batches", {9990, 10}, 1, 16, {0.999, 0.001},
        "a share of a thousandth is 0 of 16 rows in most batches, and 1 in some: draw each row, "
        "and round nothing");
    ask("6400 and 100 examples at temperature 2", {6400, 100}, 2, 18, {8 / 9., 1 / 9.},
        "the temperature divides: the shares go by the square roots, 80 and 10");
    ask("3 and 1 examples at temperature 0.5", {3, 1}, 0.5, 10, {0.9, 0.1},
        "a temperature of 0.5 squares the counts");
    const double n = std::pow(3, 0.001);
    ask("3000, 1000 and 1000 examples at temperature 1000", {3000, 1000, 1000}, 1000, 12,
        {n / (n + 2), 1 / (n + 2), 1 / (n + 2)},
        "a high temperature makes shares equal: divide by the temperature");
    ask("a billion examples at temperature 0.01", {1e9, 1e9, 10}, 0.01, 8, {0.5, 0.5, 0},
        "1e9 to the power of 100 is too large for a double: divide by the largest count first");
    ask("50 tasks at temperature 0.004", std::vector<double>(50, 400), 0.004, 75,
        std::vector<double>(50, 0.02),
        "1 / 50 to the power of 250 is too small for a double: divide by the largest count, not by "
        "the sum");
    try {
      measure();
    } catch (const TooSlow&) {
      std::printf("not done after 45 s: check again when this machine has less to do\n");
    }
  });
}
