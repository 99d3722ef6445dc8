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
    const Points points(60, 0.1f, 1), held_out(1000, 0.1f, 201);
    KeySequence keys(1);
    Net net(0, false, keys);
    AdamW optimiser(parameters(net), {.weight_decay = 0});
    train(optimiser, {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
          [&](int) { return loss_of(net, points); });
    std::printf("%d numbers to learn\n", int(count(parameters(net))));
    std::printf("loss on the 60 points: %.4f\n", loss_of(net, points).item());
    std::printf("on 1000 new ones:      %.4f\n", loss_of(net, held_out).item());
    // [first_run]
    Tensor places({101 * 101, 2});
    for (Index i = 0; i < places.size(0); ++i) {
      places.mutable_data()[2 * i] = Scalar(i % 101 - 50) / 40;
      places.mutable_data()[2 * i + 1] = Scalar(i / 101 - 50) / 40;
    }
    draw_spiral(points.x, points.y, places, net(places));
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
    const Part part("rates");
    // [rates]
    std::printf("loss      SGD                     momentum 0.9            AdamW\n");
    for (const double rate : {0.01, 0.03, 0.1, 0.3}) {
      const std::string sgd = five<Sgd>(SgdOptions{}, at_rate(rate))[0],
                        momentum = five<Sgd>(SgdOptions{.momentum = 0.9}, at_rate(rate))[0],
                        adamw = five<AdamW>(AdamWOptions{.weight_decay = 0}, at_rate(rate))[0];
      std::printf("at %-5g  %s  %s  %s\n", rate, sgd.c_str(), momentum.c_str(), adamw.c_str());
    }
    // [rates]
  }
  {
    const Part part("taming");
    // [taming]
    const auto row = [](const char* name, const auto& result) {
      std::printf("%-32s %s\n", name, result[0].c_str());
    };
    Setting fast = at_rate(0.3), clipped = at_rate(0.3, 1), scheduled = at_rate(0.3);
    scheduled.options.schedule = {.rate = 0.3, .floor = 0, .warmup = 50, .decay = 400};
    row("momentum at 0.3", five<Sgd>(SgdOptions{.momentum = 0.9}, fast));
    row("  clipped to 1", five<Sgd>(SgdOptions{.momentum = 0.9}, clipped));
    row("  warm-up and cosine", five<Sgd>(SgdOptions{.momentum = 0.9}, scheduled));
    row("AdamW at 0.3", five<AdamW>(AdamWOptions{.weight_decay = 0}, fast));
    row("  clipped to 1", five<AdamW>(AdamWOptions{.weight_decay = 0}, clipped));
    row("  warm-up and cosine", five<AdamW>(AdamWOptions{.weight_decay = 0}, scheduled));
    scheduled.options.clip = 1;
    row("  all three", five<AdamW>(AdamWOptions{.weight_decay = 0}, scheduled));
    // [taming]
  }
  {
    const Part part("held_out");
    // [held_out]
    std::printf(
        "                   in training             held out                stopped early\n");
    const auto row = [](const char* name, double decay, double dropout) {
      const Setting s{.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
                      .noise = Scalar(0.1),
                      .dropout = Scalar(dropout),
                      .points = 60};
      const auto [in, out, stopped] = five<AdamW>(AdamWOptions{.weight_decay = decay}, s);
      std::printf("%-17s  %s  %s  %s\n", name, in.c_str(), out.c_str(), stopped.c_str());
    };
    row("as it is", 0, 0);
    row("weight decay 1", 1, 0);
    row("dropout 0.1", 0, 0.1);
    row("both", 1, 0.1);
    // [held_out]
  }
  {
    const Part part("normed");
    // [normed]
    for (const double rate : {0.01, 0.03, 0.1, 0.3}) {
      Setting s = at_rate(rate);
      s.normed = true;
      const auto [in, out, stopped] = five<Sgd>(SgdOptions{}, s);
      std::printf("SGD and batch norm at %-5g %s, held out %s\n", rate, in.c_str(), out.c_str());
    }
    // [normed]
  }
}
