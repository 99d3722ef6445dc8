// Chapter 06: what makes training arrive, on two spiral arms.
#include "figures.h"
#include "pocket/learn.h"
#include "spiral.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;
using namespace spiral;

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  {
    const Part part("first_run");
    // [first_run]
    std::printf("seed  loss on the 60  wrong   on 1000 new ones  wrong\n");
    for (const int seed : {1, 2, 3, 4, 5}) {
      const Points points(60, 0.1f, seed), fresh(1000, 0.1f, seed + 200);
      KeySequence keys(seed);
      Net net(0, keys);
      AdamW optimiser(parameters(net), {.weight_decay = 0});
      train(optimiser, {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
            [&](int) { return loss_of(net, points); });
      std::printf("%4d  %14.4f  %5d   %16.4f  %5d\n", seed, loss_of(net, points).item(),
                  wrong(net, points), loss_of(net, fresh).item(), wrong(net, fresh));
      // [first_run]
      if (seed > 1) continue;
      Tensor places({101 * 101, 2});
      for (Index i = 0; i < places.size(0); ++i) {
        places.mutable_data()[2 * i] = Scalar(i % 101 - 50) / 40;
        places.mutable_data()[2 * i + 1] = Scalar(i / 101 - 50) / 40;
      }
      draw_spiral(points.x, points.y, {fresh.x, fresh.y, net(fresh.x)}, {places, net(places)});
    }
  }
  {
    const Part part("scale");
    // [scale]
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
    std::printf("after layer                    1         8        16\n");
    row("0.05", 0.05, false);
    row("1 / sqrt(64)", 0.125, false);
    row("0.5", 0.5, false);
    row("1 / sqrt(64), relu", 0.125, true);
    row("sqrt(2 / 64), relu", std::sqrt(2.0 / 64), true);
    // [scale]
  }
  {
    const Part part("rates");
    // [rates]
    std::printf("loss     SGD                        momentum 0.9\n");
    for (const double rate : {0.01, 0.03, 0.1, 0.3}) {
      const Runs sgd = five<Sgd>(SgdOptions{}, at_rate(rate)),
                 momentum = five<Sgd>(SgdOptions{.momentum = 0.9}, at_rate(rate));
      std::printf("at %-4g  %-26s  %s\n", rate, text(sgd).c_str(), text(momentum).c_str());
    }
    // [rates]
  }
  {
    const Part part("two_steps");
    const auto two_steps = [](const char* name, auto&& optimiser) {
      Tensor w = optimiser.parameters[0].tensor;
      std::printf("%-12s", name);
      for (int step = 0; step < 2; ++step) {
        optimiser.zero_grad();
        backward(sum(w * w * tensor({1, 10})));
        optimiser.step(0.01f);
        std::printf("  %.4f %.4f", w.data()[0], w.data()[1]);
      }
      std::printf("\n");
    };
    const auto start = [] { return tensor({{1, -2}}).set_requires_grad(); };
    two_steps("SGD", Sgd({{"w", start()}}));
    two_steps("momentum", Sgd({{"w", start()}}, {.momentum = 0.9}));
    two_steps("AdamW", AdamW({{"w", start()}}, {}));
  }
  {
    const Part part("adamw_rates");
    // [adamw_rates]
    std::printf("loss     AdamW\n");
    for (const double rate : {0.01, 0.03, 0.1, 0.3}) {
      const Runs runs = five<AdamW>(AdamWOptions{.weight_decay = 0}, at_rate(rate));
      std::printf("at %-4g  %s\n", rate, text(runs).c_str());
    }
    // [adamw_rates]
  }
  {
    const Part part("taming");
    // [taming]
    const auto row = [](const char* name, const Runs& runs) {
      std::printf("%-30s", name);
      for (const Losses& run : runs) std::printf("  %#7.2g", run[kTrained]);
      std::printf("\n");
    };
    std::printf("loss at seed                         1        2        3        4        5\n");
    Setting fast = at_rate(0.3), clipped = at_rate(0.3, 1), scheduled = at_rate(0.3);
    scheduled.options.schedule = {.rate = 0.3, .floor = 0, .warmup = 50, .decay = 400};
    row("momentum at 0.3", five<Sgd>(SgdOptions{.momentum = 0.9}, fast));
    row("  clipped to 1", five<Sgd>(SgdOptions{.momentum = 0.9}, clipped));
    row("  warm-up and cosine", five<Sgd>(SgdOptions{.momentum = 0.9}, scheduled));
    row("AdamW at 0.3", five<AdamW>(AdamWOptions{.weight_decay = 0}, fast));
    row("  clipped to 1", five<AdamW>(AdamWOptions{.weight_decay = 0}, clipped));
    row("  warm-up and cosine", five<AdamW>(AdamWOptions{.weight_decay = 0}, scheduled));
    scheduled.options.clip = 1;
    row("  clipping, warm-up and cosine", five<AdamW>(AdamWOptions{.weight_decay = 0}, scheduled));
    // [taming]
    std::vector<std::vector<float>> losses;  // by step
    const auto add = [&losses](auto rule, const auto& options, const Setting& setting) {
      const Points points(100, setting.noise, 2);
      KeySequence keys(2);
      Net net(0, keys);
      decltype(rule) optimiser(parameters(net), options);
      losses.push_back(
          train(optimiser, setting.options, [&](int) { return loss_of(net, points); }));
    };
    add(Sgd({}), SgdOptions{.momentum = 0.9}, fast);
    add(AdamW({}, {}), AdamWOptions{.weight_decay = 0}, fast);
    add(AdamW({}, {}), AdamWOptions{.weight_decay = 0}, scheduled);
    draw_losses({"momentum", "AdamW", "AdamW, clipped, warm-up and cosine"}, losses);
  }
  {
    const Part part("held_out");
    // [held_out]
    std::printf("%-14s  %-27s  %-22s  %-9s  %s\n", "", "in training", "held out", "better in",
                "stopped early");
    Runs plain;
    const auto row = [&](const char* name, double decay, double dropout, Index points = 60) {
      const Setting s{.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
                      .noise = Scalar(0.1),
                      .dropout = Scalar(dropout),
                      .points = points};
      const Runs runs = five<AdamW>(AdamWOptions{.weight_decay = decay}, s);
      if (decay + dropout == 0 && points == 60) plain = runs;
      int better = 0;  // seed by seed: the same points, the same initial weights
      for (int i = 0; i < 5; ++i) better += runs[i][kHeldOut] < plain[i][kHeldOut];
      std::printf("%-14s  %-27s  %s  %d of 5     %s\n", name, text(runs).c_str(),
                  text(runs, kHeldOut).c_str(), better, text(runs, kStopped).c_str());
    };
    row("as it is", 0, 0);
    row("weight decay 1", 1, 0);
    row("dropout 0.1", 0, 0.1);
    row("both", 1, 0.1);
    row("260 points", 0, 0, 260);
    // [held_out]
  }
}
