#include "tutorials/common/check.h"

#include "tutorials/06_learning/exercises.h"
#include "tutorials/06_learning/spiral.h"

using gradus::green, gradus::red;
using namespace pocket;

namespace {

/// A run whose validation losses are known: look `best` has the least, look `last` is the last.
struct Case {
  const char* name;
  std::vector<double> losses;
  int steps, every, patience, best, last;
};

/// Each step adds to each number, so that the numbers say how many steps were taken.
void try_case(const Case& c, Scalar scale) {
  Tensor a = full({2, 3}, scale).set_requires_grad(), b = full({5}, scale).set_requires_grad();
  const Scalar* const at = a.data();
  int taken = 0, looks = 0;
  const Watched run{c.steps, c.every, c.patience,
                    [&](int step) {
                      if (step != taken)
                        red(c.name, ": train_step() takes the steps' numbers in order, from 0");
                      if (++taken > c.steps) red(c.name, ": more than `steps` steps");
                      for (Tensor* x : {&a, &b}) {
                        for (Index i = 0; i < x->size(); ++i) x->mutable_data()[i] += scale;
                      }
                    },
                    [&] {
                      if (taken != ++looks * c.every) {
                        red(c.name, ": look ", looks, " came after ", taken,
                            " steps\nlikely cause: look after every `every` steps, and only then");
                      }
                      if (looks > c.last) red(c.name, ": it looked again after ", c.last, " looks");
                      return c.losses.at(std::size_t(looks - 1));
                    }};
  const int said = my_early_stopping({{"a", a}, {"b", b}}, run);
  if (looks == 0) red(c.name, ": it never looked at the validation loss");
  if (looks < c.last) {
    red(c.name, ": it gave up after ", looks, " looks, not ", c.last,
        "\nlikely cause: `patience` looks in a row; a smaller loss starts the count anew");
  }
  const int most =
      c.last * c.every < c.steps && c.last < int(c.losses.size()) ? c.last * c.every : c.steps;
  if (taken != most) red(c.name, ": ", taken, " steps, expected ", most);
  const int right = c.best * c.every;
  for (const Tensor* x : {&a, &b}) {
    for (const Scalar v : *x) {
      const double steps = double(v / scale) - 1;
      if (std::abs(steps - right) < 1e-3) continue;
      red(c.name, ": the ", x == &a ? "first" : "second", " parameter holds the numbers after ",
          std::lround(steps), " steps, expected ", right);
    }
  }
  if (a.data() != at || !a.requires_grad()) red(c.name, ": the model's tensors are others now");
  if (said != right) {
    red(c.name, ": returned ", said, ", expected ", right,
        "\nlikely cause: the steps taken at the best look, not the looks, and not the last");
  }
}

/// The opening's network, at this seed: held-out loss after all steps and with the reader's loop.
struct Spiral {
  double last, stopped;
  int taken, steps = 0;

  explicit Spiral(std::uint64_t seed) {
    for (const bool early : {false, true}) {
      const spiral::Points points(60, 0.1f, seed), validation(200, 0.1f, seed + 100),
          held_out(1000, 0.1f, seed + 200);
      KeySequence keys(seed);
      spiral::Net net(0, keys);
      AdamW optimiser(parameters(net), {.weight_decay = 0});
      const Schedule schedule{0.01, 0, 20, 800};
      const auto loss_on = [&](const spiral::Points& some) {
        const NoGrad no_grad;
        return double(loss_of(net, some).item());
      };
      const Watched run{800, 20, 10,
                        [&](int step) {
                          steps += early;
                          optimiser.zero_grad();
                          backward(loss_of(net, points));
                          optimiser.step(Scalar(schedule.at(step)));
                        },
                        [&] { return loss_on(validation); }};
      if (early) {
        taken = my_early_stopping(parameters(net), run), stopped = loss_on(held_out);
      } else {
        for (int step = 0; step < 800; ++step) run.train_step(step);
        last = loss_on(held_out);
      }
    }
  }
};

}  // namespace

CHECK_ANSWER() {
  for (const Case& c : std::vector<Case>{
           {"falls, then rises", {3, 2, 1, 2, 3, 4, 5, 6}, 100, 5, 3, 3, 6},
           {"better again just in time", {5, 4, 6, 7, 3, 6, 6, 2, 8, 7, 6, 5}, 60, 2, 3, 8, 11},
           {"falls to the end", {5e9, 4e9, 3e9}, 10, 3, 2, 3, 3},
           {"equal losses", {2, 1, 1, 1, 1, 1}, 50, 1, 3, 2, 5},
           {"NaN and infinity", {NAN, 3e30, 2e30, INFINITY, NAN, NAN, 1}, 70, 10, 3, 3, 6},
           {"a patience of 1", {3, 2, 4, 1}, 40, 7, 1, 2, 3}}) {
    try_case(c, 1), try_case(c, Scalar(1e4));
    green(c.name);
  }
  double last = 0, stopped = 0, steps = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Spiral run(seed);
    last += run.last / 5, stopped += run.stopped / 5, steps += run.steps / 5.0;
  }
  green("the opening's five runs: ", steps, " steps each instead of 800, loss on new points ",
        stopped, " instead of ", last);
}
