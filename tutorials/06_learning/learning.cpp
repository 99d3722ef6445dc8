// Chapter 06: what makes training arrive, on two spiral arms.
#include "pocket/learn.h"
#include "spiral.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;
using namespace spiral;

// [first_run]
Net learnt(const Points& points, int seed) {
  KeySequence keys(seed);
  Net net(0, keys);
  AdamW optimiser(parameters(net), {.weight_decay = 0});
  train(optimiser, {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
        [&](int) { return loss_of(net, points); });
  return net;
}

void first_run() {
  const Part part("first_run");
  std::printf("seed  loss on the 60  wrong   on 1000 new ones  wrong\n");
  for (const int seed : {1, 2, 3, 4, 5}) {
    const Points points(60, 0.1f, seed), fresh(1000, 0.1f, seed + 200);
    Net net = learnt(points, seed);
    std::printf("%4d  %14.4f  %5d   %16.4f  %5d\n", seed, loss_of(net, points).item(),
                wrong(net, points), loss_of(net, fresh).item(), wrong(net, fresh));
    if (seed == 1) draw_net("spiral", net, points, fresh);
  }
}
// [first_run]

// [scale]
void scale() {
  const Part part("scale");
  std::printf("after layer                    1         8        16\n");
  const auto row = [](const char* name, double scale, bool with_relu) {
    KeySequence keys(1);
    Tensor x = normal({100, 64}, keys.next());
    std::printf("%-22s", name);
    for (int layer = 1; layer <= 16; ++layer) {
      x = matmul(x, normal({64, 64}, keys.next(), 0, Scalar(scale)));
      if (with_relu) x = relu(x);
      if (layer == 1 || layer % 8 == 0) std::printf("  %8.1e", std::sqrt(mean(x * x).item()));
    }
    std::printf("\n");
  };
  row("0.05", 0.05, false);
  row("1 / sqrt(64)", 0.125, false);
  row("0.5", 0.5, false);
  row("1 / sqrt(64), relu", 0.125, true);
  row("sqrt(2 / 64), relu", std::sqrt(2.0 / 64), true);
}
// [scale]

// [rates]
void rates() {
  const Part part("rates");
  std::printf("loss     SGD                     batches of 10           momentum 0.9\n");
  for (const double rate : {0.01, 0.03, 0.1, 0.3, 0.5}) {
    Setting all = at_rate(rate), tenth = all;
    tenth.batch = 10;
    const Runs sgd = runs_of<Sgd>(SgdOptions{}, all), noisy = runs_of<Sgd>(SgdOptions{}, tenth),
               momentum = runs_of<Sgd>(SgdOptions{.momentum = 0.9}, all);
    std::printf("at %-4g  %-22s  %-22s  %s\n", rate, text(sgd).c_str(), text(noisy).c_str(),
                text(momentum).c_str());
  }
}
// [rates]

// [two_steps]
Path path_of(auto&& optimiser, float rate, int steps) {
  Tensor w = optimiser.parameters[0].tensor;
  Path path;
  for (int step = 0; step <= steps; ++step) {
    path.push_back({w.data()[0], w.data()[1]});
    optimiser.zero_grad();
    backward(sum(w * w * tensor({1, 10})));
    optimiser.step(rate);
  }
  return path;
}

void two_steps() {
  const Part part("two_steps");
  std::printf("            after 1 step    after 2 steps   below 0.01 after\n");
  const auto row = [](const char* name, const Path& path) {
    std::size_t steps = path.size();  // after which w1^2 + 10 w2^2 stays below 0.01
    while (path[steps - 1][0] * path[steps - 1][0] + 10 * path[steps - 1][1] * path[steps - 1][1] <
           0.01)
      --steps;
    std::printf("%-10s  %.4f %.4f  %.4f %.4f  %d steps\n", name, path[1][0], path[1][1], path[2][0],
                path[2][1], int(steps));
  };
  const auto w = [] {
    return std::vector<NamedTensor>{{"w", tensor({{1, -2}}).set_requires_grad()}};
  };
  const SgdOptions momentum{.momentum = 0.9};
  std::vector<Path> paths = {path_of(Sgd(w()), 0.01f, 400), path_of(Sgd(w(), momentum), 0.01f, 400),
                             path_of(AdamW(w(), {}), 0.01f, 400)};
  row("SGD", paths[0]), row("momentum", paths[1]), row("AdamW", paths[2]);
  for (Path& path : paths) path.resize(101);
  draw_paths(paths);
}
// [two_steps]

// [adamw_rates]
void adamw_rates() {
  const Part part("adamw_rates");
  std::printf("loss     AdamW\n");
  for (const double rate : {0.01, 0.03, 0.1, 0.3}) {
    const Runs runs = runs_of<AdamW>(AdamWOptions{.weight_decay = 0}, at_rate(rate));
    std::printf("at %-4g  %s\n", rate, text(runs).c_str());
  }
}
// [adamw_rates]

// [taming]
// Twenty runs.
template <class Rule, class Options>
void row(const char* name, const Options& rule, const Setting& setting) {
  std::vector<double> ends, firsts;
  double living = 0;
  for (const Losses& run : runs_of<Rule>(rule, setting, 20)) {
    ends.push_back(run[kTrained]), firsts.push_back(run[kAfterOne]), living += run[kAlive] / 20;
  }
  std::sort(ends.begin(), ends.end()), std::sort(firsts.begin(), firsts.end());
  const auto low = std::lower_bound(ends.begin(), ends.end(), 0.01) - ends.begin();
  std::printf("%-30s  %2d of 20   %#8.2g  %#8.2g  %7.0f  %14.2g\n", name, int(low),
              (ends[9] + ends[10]) / 2, ends[19], living, (firsts[9] + firsts[10]) / 2);
}

void taming() {
  const Part part("taming");
  std::printf("%-30s  below 0.01    median   largest    alive    after 1 step\n", "loss");
  const SgdOptions momentum{.momentum = 0.9};
  const AdamWOptions adamw{.weight_decay = 0};
  const Setting fast = at_rate(0.3), clipped = at_rate(0.3, 1);
  Setting both = clipped, scheduled = fast, warmed = fast, falling = fast;
  both.options.schedule = {.rate = 0.3, .floor = 0, .warmup = 50, .decay = 400};
  scheduled.options.schedule = both.options.schedule;
  warmed.options.schedule = {.rate = 0.3, .floor = 0.3, .warmup = 50, .decay = 400};
  falling.options.schedule = {.rate = 0.3, .floor = 0, .warmup = 0, .decay = 400};
  row<Sgd>("momentum at 0.3", momentum, fast);
  row<Sgd>("  clipped to 1", momentum, clipped);
  row<Sgd>("  warm-up alone", momentum, warmed);
  row<Sgd>("  cosine alone", momentum, falling);
  row<Sgd>("  warm-up and cosine", momentum, scheduled);
  row<Sgd>("  clipping, warm-up and cosine", momentum, both);
  row<AdamW>("AdamW at 0.3", adamw, fast);
  row<AdamW>("  clipped to 1", adamw, clipped);
  row<AdamW>("  warm-up alone", adamw, warmed);
  row<AdamW>("  cosine alone", adamw, falling);
  row<AdamW>("  warm-up and cosine", adamw, scheduled);
  row<AdamW>("  clipping, warm-up and cosine", adamw, both);
  std::vector<float> rates;
  for (int step = 0; step < 400; ++step) rates.push_back(float(both.options.schedule.at(step)));
  draw_schedule(rates);
}
// [taming]

// [edge]
void edge() {
  const Part part("edge");
  std::printf("seed 5, step            0     20     30     40     50     60     80\n");
  Setting plain = at_rate(0.3), warmed = plain;
  warmed.options.schedule = {.rate = 0.3, .floor = 0.3, .warmup = 50, .decay = 400};
  Setting clipped = warmed;
  clipped.options.clip = 1;
  std::vector<std::vector<float>> products;
  const auto row = [&](const char* name, Setting setting) {
    setting.options.steps = 100;
    const Course run = course_of(5, setting);
    products.push_back(run.product);
    std::printf("%-17s  loss", name);
    for (const int step : {0, 20, 30, 40, 50, 60, 80}) std::printf("  %5.2f", run.loss[step]);
    std::printf("\n%-17s alive", "");
    for (const int step : {0, 20, 30, 40, 50, 60, 80}) std::printf("  %5d", run.living[step]);
    std::printf("\n");
  };
  row("momentum", plain), row("warm-up alone", warmed), row("warm-up, clipped", clipped);
  draw_edge({"momentum", "warm-up alone", "warm-up, clipped to 1"}, products);
}
// [edge]

// [held_out]
void held_out() {
  const Part part("held_out");
  std::printf("%-14s  %-27s  %-22s  %-14s  %s\n", "", "in training", "held out", "wrong of 1000",
              "stopped early");
  const auto row = [&](const char* name, double decay, double dropout, Index points = 60) {
    const Setting s{.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
                    .noise = Scalar(0.1),
                    .dropout = Scalar(dropout),
                    .points = points,
                    .early = true};
    const Runs runs = runs_of<AdamW>(AdamWOptions{.weight_decay = decay}, s);
    std::printf("%-14s  %-27s  %s  %-14s  %s\n", name, text(runs).c_str(),
                text(runs, kHeldOut).c_str(), text(runs, kWrong).c_str(),
                text(runs, kStopped).c_str());
  };
  row("as it is", 0, 0);
  row("weight decay 1", 1, 0);
  row("dropout 0.1", 0, 0.1);
  row("both", 1, 0.1);
  row("260 points", 0, 0, 260);
  const Points more(260, 0.1f, 1);
  Net net = learnt(more, 1);
  draw_net("spiral_more", net, more, Points(1000, 0.1f, 201));
}
// [held_out]

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  first_run(), scale();
  rates(), two_steps(), adamw_rates();
  taming(), edge(), held_out();
}
