#include "tutorials/20_one_model_many_tasks/checking.h"

using gradus::green, gradus::red;

namespace {

constexpr std::uint32_t kBatches = 4000;

/// One batch, which must have all its rows.
std::vector<Index> batch(const std::string& what, const std::vector<double>& examples,
                         double temperature, Index rows, const RandomKey& key) {
  const std::vector<Index> counts = rows_of_tasks(examples, temperature, rows, key);
  if (counts.size() != examples.size()) {
    red(what, ": got ", counts.size(), " counts, expected one for each task");
  }
  Index sum = 0;
  for (const Index n : counts) {
    sum += n;
    if (n < 0) red(what, ": got a count of ", n, "\nlikely cause: count rows");
  }
  if (sum != rows) red(what, ": got ", sum, " rows, expected ", rows);
  return counts;
}

/// Draws thousands of batches: each task's part of the rows must be near its share.
void ask(const std::string& what, const std::vector<double>& examples, double temperature,
         Index rows, const std::vector<double>& shares) {
  std::vector<double> drawn(examples.size());
  for (std::uint32_t step = 0; step < kBatches; ++step) {
    const std::vector<Index> counts = batch(what, examples, temperature, rows, {7, step, 3});
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] += double(counts[i]);
  }
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double all = double(kBatches) * double(rows), got = drawn[i] / all;
    if (std::abs(got - shares[i]) <= 5 * std::sqrt(shares[i] * (1 - shares[i]) / all)) continue;
    red(what, ": task ", i, " got ", got, " of the rows of ", kBatches, " batches, expected about ",
        shares[i]);
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
  red("two equal tasks, 10 rows: the first gets ", mean, " on average, with a variance of ",
      variance, ", expected about 2.5, as of heads in 10 tosses");
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
  if (at(key) != one) red("equal keys give equal batches: they differ");
  if (!seed || !step || !place) red("other keys give other batches: they are equal");
  green("equal keys give equal batches, and other keys others");
}

/// The rows of a share without chance.
Index rounded(double share, Index rows) { return Index(std::floor(share * double(rows) + 0.5)); }

/// 2000 tweets and 20 translations: three temperatures.
void measure(const Trainer& trainer) {
  using namespace tasks;
  constexpr Index kFew = 20, kRows = 16;
  constexpr int kSteps = 300;
  const Course course(2000, 200);
  const tasks::Rows few(course.train[1].begin(), course.train[1].begin() + kFew);
  std::printf("\n2000 tweets and 20 translations, %d steps with %d rows each ...\n", kSteps,
              int(kRows));
  std::printf("             translations' share of the rows  each is   loss on translations\n");
  std::printf("temperature  wanted  rounded  drawn           read      those 20  held out\n");
  for (const double temperature : {1., 3., 1000.}) {
    Gpt model = new_gpt(course, 1);
    double drawn = 0;
    trainer.learn(model, kSteps, [&](int step) {
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

CHECK_ANSWER() {
  ask_keys();
  ask_spread();
  ask("3000, 1000 and 1000 examples, 10 rows", {3000, 1000, 1000}, 1, 10, {0.6, 0.2, 0.2});
  ask("a task with few examples, which comes in some batches", {9990, 10}, 1, 16, {0.999, 0.001});
  ask("6400 and 100 examples at temperature 2", {6400, 100}, 2, 18, {8 / 9., 1 / 9.});
  ask("3 and 1 examples at temperature 0.5", {3, 1}, 0.5, 10, {0.9, 0.1});
  const double n = std::pow(3, 0.001);
  ask("3000, 1000 and 1000 examples at temperature 1000", {3000, 1000, 1000}, 1000, 12,
      {n / (n + 2), 1 / (n + 2), 1 / (n + 2)});
  ask("a billion examples at temperature 0.01", {1e9, 1e9, 10}, 0.01, 8, {0.5, 0.5, 0});
  ask("50 tasks at temperature 0.004", std::vector<double>(50, 400), 0.004, 75,
      std::vector<double>(50, 0.02));
  Trainer::run(measure);
}
