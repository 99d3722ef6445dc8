// Chapter 06: conditions for training to succeed, on two spiral arms.
#include <cstring>
#include <numeric>

#include "pocket/learn.h"
#include "spiral.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;
using namespace spiral;

// [first_run]
Net learned(const Points& points, int seed) {
  KeySequence keys(seed);
  Net net(0, keys);
  AdamW optimiser(parameters(net), {.weight_decay = 0});
  train(optimiser, {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
        [&](int) { return loss_of(net, points); });
  return net;
}

void first_run() {
  const Part part("first_run");
  std::printf(
      "seed  loss on 60  wrong of 60  loss on 1000  wrong of 1000  likelier on the other arm\n");
  for (const int seed : {1, 2, 3, 4, 5}) {
    const Points points(60, 0.1f, seed), fresh(1000, 0.1f, seed + 200);
    Net net = learned(points, seed);
    std::printf("%4d  %10.4f  %11d  %12.4f  %13d  %25d\n", seed, loss_of(net, points).item(),
                wrong(net, points), loss_of(net, fresh).item(), wrong(net, fresh),
                likelier_on_other_arm(fresh));
    if (seed == 1) draw_net(net, points, fresh);
  }
}
// [first_run]

// [scale]
void scale() {
  const Part part("scale");
  std::printf("after layer                    1         8        16  16, at twenty seeds\n");
  const auto row = [](const char* name, double scale, bool with_relu) {
    std::printf("%-22s", name);
    std::vector<double> ends;
    for (int seed = 1; seed <= 20; ++seed) {
      KeySequence keys(seed);
      Tensor x = normal({100, 64}, keys.next());
      for (int layer = 1; layer <= 16; ++layer) {
        x = matmul(x, normal({64, 64}, keys.next(), 0, Scalar(scale)));
        if (with_relu) x = relu(x);
        if (seed > 1 || (layer > 1 && layer % 8 > 0)) continue;
        std::printf("  %8.1e", std::sqrt(mean(x * x).item()));
      }
      ends.push_back(std::sqrt(mean(x * x).item()));
    }
    const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
    std::printf("  %.1e to %.1e\n", *least, *most);
  };
  row("0.05", 0.05, false);
  row("1 / sqrt(64)", 0.125, false);
  row("0.5", 0.5, false);
  row("1 / sqrt(64), relu", 0.125, true);
  row("sqrt(2 / 64), relu", std::sqrt(2.0 / 64), true);
}
// [scale]

// [start]
void start() {
  const Part part("start");
  std::printf("initial weights  loss after 400 steps\n");
  for (const double times : {0.1, 1.0, 10.0}) {
    Setting s = at_rate(0.01);
    s.start = Scalar(times);
    std::printf("times %-9g  %s\n", times,
                text(runs_of<AdamW>(AdamWOptions{.weight_decay = 0}, s)).c_str());
  }
}
// [start]

// [rates]
// Adds the final losses at a rate to a curve of the drawing.
void add(ByRate& curve, double rate, const Runs& runs) {
  std::vector<double> ends;
  for (const Losses& run : runs) ends.push_back(run[kTrained]);
  const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  curve.rate.push_back(rate), curve.least.push_back(*least), curve.most.push_back(*most);
  curve.mean.push_back(std::accumulate(ends.begin(), ends.end(), 0.0) / double(ends.size()));
}

std::vector<ByRate> rates() {
  const Part part("rates");
  std::vector<ByRate> curves = {{"SGD", {}, {}, {}, {}}, {"momentum 0.9", {}, {}, {}, {}}};
  std::printf("loss     SGD                     batches of 10           momentum 0.9\n");
  for (const double rate : {0.01, 0.03, 0.1, 0.3, 0.5}) {
    Setting all = at_rate(rate), tenth = all;
    tenth.batch = 10;
    const Runs sgd = runs_of<Sgd>(SgdOptions{}, all), noisy = runs_of<Sgd>(SgdOptions{}, tenth),
               momentum = runs_of<Sgd>(SgdOptions{.momentum = 0.9}, all);
    add(curves[0], rate, sgd), add(curves[1], rate, momentum);
    std::printf("at %-4g  %-22s  %-22s  %s\n", rate, text(sgd).c_str(), text(noisy).c_str(),
                text(momentum).c_str());
    if (rate < 0.5) continue;
    std::printf("  alive  %-22s  %-22s  %s\n", text(sgd, kAlive).c_str(),
                text(noisy, kAlive).c_str(), text(momentum, kAlive).c_str());
  }
  return curves;
}
// [rates]

// [two_steps]
Path path_of(auto&& optimiser, const Schedule& schedule, int steps, float steep = 10) {
  Tensor w = optimiser.parameters[0].tensor;
  Path path;
  for (int step = 0; step <= steps; ++step) {
    path.push_back({w.data()[0], w.data()[1]});
    optimiser.zero_grad();
    backward(sum(w * w * tensor({1, steep})));
    optimiser.step(schedule.at(step));
  }
  return path;
}

void two_steps() {
  const auto row = [](const char* name, const Path& path, double steep = 10) {
    std::size_t steps = path.size();  // after which w1^2 + steep w2^2 stays below 0.01
    const auto low = [&](double a, double b) { return a * a + steep * b * b < 0.01; };
    while (steps > 0 && low(path[steps - 1][0], path[steps - 1][1])) --steps;
    std::printf("%-23s  %.4f %.4f  %.4f %.4f  ", name, path[1][0], path[1][1], path[2][0],
                path[2][1]);
    std::printf(steps < path.size() ? "%d steps\n" : "not in %d\n",
                int(std::min(steps, path.size() - 1)));
  };
  const auto w = [] {
    return std::vector<NamedTensor>{{"w", tensor({{1, -2}}).set_requires_grad()}};
  };
  const auto at = [](double rate) { return Schedule{rate, rate, 0, 1}; };
  const SgdOptions momentum{.momentum = 0.9};
  const AdamWOptions adam{.weight_decay = 0};
  const Schedule falling{.rate = 0.03, .floor = 0, .warmup = 0, .decay = 400};
  const char* const head =
      "                         after 1 step    after 2 steps   below 0.01 after\n";
  {
    const Part part("two_steps");
    std::printf("%s", head);
    std::vector<Path> paths = {path_of(Sgd(w()), at(0.01), 400),
                               path_of(Sgd(w(), momentum), at(0.01), 400),
                               path_of(AdamW(w(), adam), at(0.01), 400)};
    row("SGD", paths[0]), row("momentum 0.9", paths[1]), row("Adam", paths[2]);
    row("AdamW", path_of(AdamW(w(), {}), at(0.01), 400));
    row("SGD at 0.09", path_of(Sgd(w()), at(0.09), 400));
    row("SGD at 0.11", path_of(Sgd(w()), at(0.11), 400));
    row("Adam, from 0.03 to 0", path_of(AdamW(w(), adam), falling, 400));
    row("AdamW, from 0.03 to 0", path_of(AdamW(w(), {}), falling, 400));
    for (Path& path : paths) path.resize(101);
    draw_paths(paths);
  }
  const Part part("steep");
  std::printf("%s", head);
  row("SGD at 0.00105", path_of(Sgd(w()), at(0.00105), 400, 1000), 1000);
  row("SGD at 0.00095", path_of(Sgd(w()), at(0.00095), 1500, 1000), 1000);
  row("momentum 0.9 at 0.00095", path_of(Sgd(w(), momentum), at(0.00095), 1500, 1000), 1000);
  row("Adam, from 0.03 to 0", path_of(AdamW(w(), adam), falling, 400, 1000), 1000);
  row("AdamW, from 0.03 to 0", path_of(AdamW(w(), {}), falling, 400, 1000), 1000);
}
// [two_steps]

// [adamw_rates]
void adamw_rates(std::vector<ByRate> curves) {
  const Part part("adamw_rates");
  curves.push_back({"AdamW", {}, {}, {}, {}});
  std::printf("loss      AdamW\n");
  for (const double rate : {0.003, 0.01, 0.03, 0.1, 0.3}) {
    const Runs runs = runs_of<AdamW>(AdamWOptions{.weight_decay = 0}, at_rate(rate));
    std::printf("at %-5g  %s\n", rate, text(runs).c_str());
    add(curves.back(), rate, runs);
  }
  draw_rates(curves);
}
// [adamw_rates]

// [taming]
// How many of twenty runs arrive.
template <class Rule, class Options>
int arriving(const Options& rule, const Setting& setting) {
  const Runs runs = runs_of<Rule>(rule, setting, 20);
  return int(std::count_if(runs.begin(), runs.end(),
                           [](const Losses& run) { return run[kTrained] < 0.01; }));
}

void taming() {
  const Part part("arrive");
  std::printf("runs that arrive      momentum     AdamW\n");
  const auto row = [](const char* name, double end, int warmup, double clip) {
    Setting s = at_rate(0.3, clip);
    s.options.schedule = {.rate = 0.3, .floor = end, .warmup = warmup, .decay = 400};
    const int momentum = arriving<Sgd>(SgdOptions{.momentum = 0.9}, s),
              adamw = arriving<AdamW>(AdamWOptions{.weight_decay = 0}, s);
    std::printf("%-20s  %2d of 20  %2d of 20\n", name, momentum, adamw);
  };
  row("nothing", 0.3, 0, 1e9);
  row("clipping", 0.3, 0, 1);
  row("warm-up", 0.3, 50, 1e9);
  row("cosine", 0, 0, 1e9);
  row("clipping and warm-up", 0.3, 50, 1);
  row("clipping and cosine", 0, 0, 1);
  row("warm-up and cosine", 0, 50, 1e9);
  row("all three", 0, 50, 1);
}
// [taming]

// [losses]
// Three of AdamW's runs at seed 1, step by step.
void losses() {
  const Part part("losses");
  std::printf("seed 1                largest  at step  last 50 steps\n");
  const std::vector<std::string> names = {"at once", "warm-up alone", "warm-up and cosine"};
  const Schedule schedules[] = {{0.3, 0.3, 0, 400}, {0.3, 0.3, 50, 400}, {0.3, 0, 50, 400}};
  std::vector<std::vector<Scalar>> curves;
  std::vector<Scalar> rates;
  for (const Schedule& schedule : schedules) {
    const Points points(100, Scalar(0.05), 1);
    KeySequence keys(1);
    Net net(0, keys);
    AdamW optimiser(parameters(net), {.weight_decay = 0});
    curves.push_back(train(optimiser, {.steps = 400, .schedule = schedule, .clip = 1e9},
                           [&](int) { return loss_of(net, points); }));
    const auto most = std::max_element(curves.back().begin(), curves.back().end());
    const auto [low, high] = std::minmax_element(curves.back().end() - 50, curves.back().end());
    std::printf("%-18s  %#9.3g  %7d  %.2g to %.2g\n", names[curves.size() - 1].c_str(), *most,
                int(most - curves.back().begin()), *low, *high);
  }
  for (int step = 0; step < 400; ++step) rates.push_back(Scalar(schedules[2].at(step)));
  draw_losses(names, curves, rates);
}
// [losses]

// [held_out]
Setting opening(double dropout, Index points) {
  return {.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
          .noise = Scalar(0.1),
          .dropout = Scalar(dropout),
          .points = points,
          .early = true};
}

// The remedies at twenty seeds. Part of --long.
void held_out() {
  const Part part("twenty");
  std::printf("%-14s  in training  held out  lower  %-14s  fewer\n", "", "wrong of 1000");
  Runs first;
  const auto row = [&](const char* name, double decay, double dropout, Index points = 60) {
    const AdamWOptions rule{.weight_decay = decay};
    const Runs runs = runs_of<AdamW>(rule, opening(dropout, points), 20);
    const bool plain = first.empty();
    if (plain) first = runs;
    const auto mean = [&](int which) {
      double sum = 0;
      for (const Losses& run : runs) sum += run[which] / 20;
      return sum;
    };
    const auto below = [&](int which, int that) {  // at how many seeds below the first row
      int better = 0;
      for (int i = 0; i < 20; ++i) better += runs[i][which] < first[i][that];
      return better;
    };
    std::printf("%-14s  %#11.2g  %8.3f  %5d  %-14s  %5d\n", name, mean(kTrained), mean(kHeldOut),
                below(kHeldOut, kHeldOut), text(runs, kWrong).c_str(), below(kWrong, kWrong));
    if (!plain) return;
    std::printf("early stopping %22.3f %7s %-14.0f  %5d\n", mean(kStopped), "", mean(kStoppedWrong),
                below(kStoppedWrong, kWrong));
  };
  row("plain", 0, 0);
  row("weight decay 1", 1, 0);
  row("weight decay 3", 3, 0);
  row("dropout 0.1", 0, 0.1);
  row("both", 1, 0.1);
  row("260 points", 0, 0, 260);
  Runs arms(20);
  for (int seed = 1; seed <= 20; ++seed) {
    arms[seed - 1][kWrong] = likelier_on_other_arm(Points(1000, 0.1f, seed + 200));
  }
  std::printf("%-44s  %s\n", "likelier arm", text(arms, kWrong).c_str());
}
// [held_out]

// [stopping]
// The opening's seed 2, with a look at the validation set after every 20 steps.
void stopping() {
  const Part part("stopping");
  std::printf("seed 2           validation: smallest  at step  at the end\n");
  std::vector<Scalar> training, others[2];
  for (const int decay : {0, 1}) {
    const Points points(60, Scalar(0.1), 2), validation(200, Scalar(0.1), 102);
    KeySequence keys(2);
    Net net(0, keys);
    AdamW optimiser(parameters(net), {.weight_decay = double(decay)});
    const auto look = [&] { others[decay].push_back(loss_of(net, validation).item()); };
    TrainOptions options = opening(0, 60).options;
    options.before_step = [&](int step) { step % 20 == 0 ? look() : void(); };
    const auto losses = train(optimiser, options, [&](int) { return loss_of(net, points); });
    if (decay == 0) training = losses;
    look();
    const auto least = std::min_element(others[decay].begin(), others[decay].end());
    std::printf("weight decay %d   %20.3f  %7d  %10.3f\n", decay, *least,
                int(least - others[decay].begin()) * 20, others[decay].back());
  }
  draw_stopping(training, others[0], others[1]);
}
// [stopping]

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) return held_out(), 0;
  first_run(), scale(), start();
  const auto curves = rates();
  two_steps(), adamw_rates(curves);
  losses(), taming(), stopping();
}
