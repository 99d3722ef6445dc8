// Chapter 06: conditions for training to succeed, on two spiral arms.
#include <cstring>

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
    if (seed == 1) draw_net("spiral", seed, net, points, fresh, 25);
    if (seed == 2) draw_net("spiral_2", seed, net, points, fresh);
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
  const Part part("two_steps");
  std::printf("                         after 1 step    after 2 steps   below 0.01 after\n");
  const auto steps_of = [](const Path& path, double steep) {
    std::size_t steps = path.size();  // after which w1^2 + steep w2^2 stays below 0.01
    const auto low = [&](double a, double b) { return a * a + steep * b * b < 0.01; };
    while (steps > 0 && low(path[steps - 1][0], path[steps - 1][1])) --steps;
    return steps;
  };
  const auto row = [&](const char* name, const Path& path, double steep = 10) {
    const std::size_t steps = steps_of(path, steep);
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
  std::vector<Path> paths = {path_of(Sgd(w()), at(0.01), 400),
                             path_of(Sgd(w(), momentum), at(0.01), 400),
                             path_of(AdamW(w(), {}), at(0.01), 400)};
  row("SGD", paths[0]), row("momentum 0.9", paths[1]), row("AdamW", paths[2]);
  row("SGD at 0.09", path_of(Sgd(w()), at(0.09), 400));
  row("SGD at 0.11", path_of(Sgd(w()), at(0.11), 400));
  for (const double beta : {0.0, 0.3, 0.9}) {
    std::vector<std::size_t> steps;  // at 0.001, 0.002 to 0.19
    for (int rate = 1; rate <= 190; ++rate) {
      steps.push_back(steps_of(path_of(Sgd(w(), {beta}), at(0.001 * rate), 100), 10));
    }
    const double best = 0.001 * double(std::ranges::min_element(steps) - steps.begin() + 1);
    char name[40];
    std::snprintf(name, sizeof name, "momentum %g at %.3f", beta, best);
    row(name, path_of(Sgd(w(), {beta}), at(best), 400));
  }
  const Schedule falling{.rate = 0.03, .floor = 0, .warmup = 0, .decay = 400};
  row("AdamW, from 0.03 to 0", path_of(AdamW(w(), {}), falling, 400));
  std::printf("1000 instead of 10\n");
  row("SGD at 0.00105", path_of(Sgd(w()), at(0.00105), 400, 1000), 1000);
  row("SGD at 0.00095", path_of(Sgd(w()), at(0.00095), 1500, 1000), 1000);
  row("momentum 0.3 at 0.00095", path_of(Sgd(w(), {0.3}), at(0.00095), 1500, 1000), 1000);
  row("momentum 0.9 at 0.00095", path_of(Sgd(w(), momentum), at(0.00095), 1500, 1000), 1000);
  row("AdamW, from 0.03 to 0", path_of(AdamW(w(), {}), falling, 400, 1000), 1000);
  const auto there = path_of(AdamW(w(), {}), at(0.01), 100, 1000).back(), here = paths[2][100];
  std::printf("AdamW at 0.01, after 100 steps: %.4f %.4f; with 10: %.4f %.4f\n", there[0], there[1],
              here[0], here[1]);
  for (Path& path : paths) path.resize(101);
  draw_paths(paths);
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
// Twenty runs. Returns how many arrive.
template <class Rule, class Options>
int row(const char* name, const Options& rule, const Setting& setting) {
  const Runs runs = runs_of<Rule>(rule, setting, 20);
  const auto sorted = [&](int which) {
    std::vector<double> all;
    for (const Losses& run : runs) all.push_back(run[which]);
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto median = [](const std::vector<double>& all) { return (all[9] + all[10]) / 2; };
  const std::vector<double> ends = sorted(kTrained), living = sorted(kAlive);
  const int low = int(std::lower_bound(ends.begin(), ends.end(), 0.01) - ends.begin());
  std::printf("%-30s  %2d of 20      %#8.2g  %5.0f  %#12.2g\n", name, low, median(ends),
              std::accumulate(living.begin(), living.end(), 0.0) / 20, median(sorted(kLongest)));
  return low;
}

void head(const char* name) {
  std::printf("%-30s  below 0.01  median end  alive  longest step\n", name);
}

void taming() {
  const SgdOptions momentum{.momentum = 0.9};
  const AdamWOptions adamw{.weight_decay = 0};
  const Setting fast = at_rate(0.3), clipped = at_rate(0.3, 1);
  Setting both = clipped, scheduled = fast, warmed = fast;
  both.options.schedule = {.rate = 0.3, .floor = 0, .warmup = 50, .decay = 400};
  scheduled.options.schedule = both.options.schedule;
  warmed.options.schedule = {.rate = 0.3, .floor = 0.3, .warmup = 50, .decay = 400};
  int first[4] = {}, second[4] = {};  // how many runs arrive, without the rows of a warm-up alone
  {
    const Part part("taming");
    head("loss");
    first[0] = row<Sgd>("momentum at 0.3", momentum, fast);
    first[1] = row<Sgd>("  clipped to 1", momentum, clipped);
    row<Sgd>("  warm-up alone", momentum, warmed);
    first[2] = row<Sgd>("  warm-up and cosine", momentum, scheduled);
    first[3] = row<Sgd>("  clipping, warm-up and cosine", momentum, both);
  }
  {
    const Part part("taming_adamw");
    head("loss");
    second[0] = row<AdamW>("AdamW at 0.3", adamw, fast);
    second[1] = row<AdamW>("  clipped to 1", adamw, clipped);
    row<AdamW>("  warm-up alone", adamw, warmed);
    second[2] = row<AdamW>("  warm-up and cosine", adamw, scheduled);
    second[3] = row<AdamW>("  clipping, warm-up and cosine", adamw, both);
  }
  const Part part("arrive");
  const char* const names[] = {"nothing", "clipping", "warm-up and cosine", "all three"};
  std::printf("runs that arrive    momentum     AdamW\n");
  for (int i = 0; i < 4; ++i) {
    std::printf("%-18s  %2d of 20  %2d of 20\n", names[i], first[i], second[i]);
  }
}
// [taming]

// [losses]
// Three of those runs at seed 1, step by step.
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

// [rise]
// Twenty runs of AdamW each, with a cosine, by how the rate rises. Part of --long.
void rise() {
  const Part part("rise");
  head("AdamW at 0.3, cosine");
  const auto risen = [](const char* name, int quiet, int warmup, double rate = 0.3) {
    Setting s = at_rate(rate);
    s.quiet = quiet;
    s.options.schedule = {.rate = rate, .floor = 0, .warmup = warmup, .decay = 400};
    row<AdamW>(name, AdamWOptions{.weight_decay = 0}, s);
  };
  risen("at once", 0, 0);
  risen("first step short", 1, 0);
  risen("first 20 steps short", 20, 0);
  risen("first 50 steps short", 50, 0);
  risen("warm-up of 5 steps", 0, 5);
  risen("warm-up of 20 steps", 0, 20);
  risen("at once, rate of 0.03", 0, 0, 0.03);
  risen("at once, rate of 0.06", 0, 0, 0.06);
  risen("at once, rate of 0.1", 0, 0, 0.1);
}
// [rise]

// [edge]
Setting edge_setting(int warmup, double clip) {
  Setting s = at_rate(0.3, clip);
  s.options.steps = 100;
  s.options.schedule.warmup = warmup;
  return s;
}

void edge() {
  const Part part("edge");
  const Course plain = course_of(5, edge_setting(0, 1e9)),
               warmed = course_of(5, edge_setting(50, 1e9)),
               clipped = course_of(5, edge_setting(50, 1));
  draw_edge({"momentum", "warm-up", "warm-up, clipped to 1"},
            {plain.curvature, warmed.curvature, clipped.curvature}, {plain.limit, warmed.limit});
  std::printf("seed 5    steps above  first  largest  at step  alive at 30  at 40  at 99\n");
  const auto row = [](const char* name, const Course& run) {
    int above = 0, first = 100;
    for (int step = 0; step < 100; ++step) {
      if (run.curvature[step] <= run.limit[step]) continue;
      ++above, first = std::min(first, step);
    }
    const auto most = std::max_element(run.curvature.begin(), run.curvature.end());
    std::printf("%-8s  %11d  %5d  %7.1f  %7d  %11d  %5d  %5d\n", name, above, first, *most,
                int(most - run.curvature.begin()), run.living[30], run.living[40], run.living[99]);
  };
  row("momentum", plain), row("warm-up", warmed), row("clipped", clipped);
}

// Sixty runs each, and the 15 steps after the curvature first passes the limit.
void leaps() {
  const Part part("leaps");
  std::printf(
      "sixty runs of      pass the     within 15 steps       mean curvature at the passing\n");
  std::printf("momentum at 0.3    limit  step  loss above 1  10 die  of all  10 die  elsewhere\n");
  const auto row = [](const char* name, int warmup, double clip) {
    int leapt = 0, died = 0;
    double height = 0, deadly = 0;
    std::vector<int> steps;  // of the passings
    for (int seed = 1; seed <= 60; ++seed) {
      const Course run = course_of(seed, edge_setting(warmup, clip));
      int first = 0;
      while (first < 100 && run.curvature[first] <= run.limit[first]) ++first;
      if (first == 100) continue;
      const int last = std::min(first + 15, 99);
      steps.push_back(first), height += run.curvature[first];
      leapt += std::any_of(run.loss.begin() + first, run.loss.begin() + last + 1,
                           [](float loss) { return !(loss <= 1); });
      if (run.living[first] - run.living[last] < 10) continue;
      ++died, deadly += run.curvature[first];
    }
    const auto mean = [](double sum, int runs) {
      char words[20] = "-";
      if (runs > 0) std::snprintf(words, sizeof words, "%.1f", sum / runs);
      return std::string(words);
    };
    std::sort(steps.begin(), steps.end());
    const int passed = int(steps.size());
    std::printf("%-17s  %5d  %4d  %12d  %6d  %6s  %6s  %9s\n", name, passed, steps[passed / 2],
                leapt, died, mean(height, passed).c_str(), mean(deadly, died).c_str(),
                mean(height - deadly, passed - died).c_str());
  };
  row("plain", 0, 1e9), row("warm-up", 50, 1e9);
  row("clipped", 0, 1), row("warm-up, clipped", 50, 1);
}
// [edge]

// [one_point]
// The opening's network at seed 1, trained on all points, and on all points except one.
void one_point() {
  const Part part("one_point");
  std::printf("%-32s  wrong of 1000  blue  orange\n", "");
  const Points points(60, 0.1f, 1), fresh(1000, 0.1f, 201);
  const auto row = [&](const char* name, const Points& known) {
    Net net = learned(known, 1);
    const Tensor outputs = net(fresh.x);
    int missed[2] = {};  // blue has the label -1
    for (Index i = 0; i < 1000; ++i) {
      const Scalar label = fresh.y.data()[i];
      if (outputs.data()[i] * label <= 0) ++missed[label > 0];
    }
    std::printf("%-32s  %13d  %4d  %6d\n", name, missed[0] + missed[1], missed[0], missed[1]);
  };
  row("60 points", points);
  char name[60];
  std::snprintf(name, sizeof name, "without the one at (%.2f, %.2f)", points.x.data()[50],
                points.x.data()[51]);
  row(name, points.without(25));
}

// Each point left out in turn. Part of --long.
void each_point() {
  const Part part("each_point");
  const Points points(60, 0.1f, 1), fresh(1000, 0.1f, 201);
  Net whole = learned(points, 1);
  const Points said(fresh.x, whole(fresh.x));
  std::vector<int> changed, mistakes;
  for (Index i = 0; i < 60; ++i) {
    Net net = learned(points.without(i), 1);
    changed.push_back(wrong(net, said)), mistakes.push_back(wrong(net, fresh));
  }
  const int known = changed[25];
  std::printf("without one of 60           least  median  largest\n");
  const auto row = [](const char* name, std::vector<int>& counts) {
    std::sort(counts.begin(), counts.end());
    std::printf("%-26s  %5d  %6g  %7d\n", name, counts[0], (counts[29] + counts[30]) / 2.0,
                counts[59]);
  };
  row("other answers, of 1000", changed), row("wrong of 1000", mistakes);
  std::printf("the orange one changes %d answers; the six largest changes:", known);
  for (int i = 54; i < 60; ++i) std::printf(" %d", changed[i]);
  std::printf("\n");
}
// [one_point]

// [held_out]
Setting opening(double dropout, Index points) {
  return {.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
          .noise = Scalar(0.1),
          .dropout = Scalar(dropout),
          .points = points,
          .early = true};
}

// At seed 2 alone, or with --long at twenty, where a second table has the other rows with early
// stopping.
void held_out(bool twenty) {
  std::string stopped;  // the second table
  {
    const Part part(twenty ? "twenty" : "held_out");
    if (twenty) {
      std::printf("%-14s  in training  held out  lower  %-14s  fewer\n", "", "wrong of 1000");
    } else {
      std::printf("seed 2          in training  held out  wrong of 1000  stopped early  wrong\n");
    }
    Runs first;
    const auto row = [&](const char* name, double decay, double dropout, Index points = 60) {
      const AdamWOptions rule{.weight_decay = decay};
      const Setting setting = opening(dropout, points);
      if (!twenty) {
        const Losses run = trained<AdamW>(rule, setting, 2);
        std::printf("%-14s  %#11.2g  %8.3f  %13.0f  %13.3f  %5.0f\n", name, run[kTrained],
                    run[kHeldOut], run[kWrong], run[kStopped], run[kStoppedWrong]);
        return;
      }
      const Runs runs = runs_of<AdamW>(rule, setting, 20);
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
      if (plain) {  // its early stopping is a row of the first table
        std::printf("early stopping %22.3f %7s %-14.0f  %5d\n", mean(kStopped), "",
                    mean(kStoppedWrong), below(kStoppedWrong, kWrong));
        return;
      }
      char line[100];
      std::snprintf(line, sizeof line, "%-14s  %8.3f  %13.0f  %5d\n", name, mean(kStopped),
                    mean(kStoppedWrong), below(kStoppedWrong, kWrong));
      stopped += line;
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
    if (twenty) {
      std::printf("%-44s  %s\n", "likelier arm", text(arms, kWrong).c_str());
    } else {
      std::printf("likelier arm %40.0f\n", arms[1][kWrong]);
      const Points more(260, 0.1f, 2);
      Net net = learned(more, 2);
      draw_net("spiral_more", 2, net, more, Points(1000, 0.1f, 202));
    }
  }
  if (twenty) {
    const Part part("twenty_stopped");
    std::printf("early stopping  held out  wrong of 1000  fewer\n%s", stopped.c_str());
  }
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
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0)
    return rise(), leaps(), each_point(), held_out(true), 0;
  first_run(), scale(), start();
  const auto curves = rates();
  two_steps(), adamw_rates(curves);
  losses(), taming(), edge(), one_point(), held_out(false), stopping();
}
