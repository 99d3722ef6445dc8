// Chapter 21: a transformer that reads images, patch by patch.
#include <cstring>

#include "tutorials/21_images_as_sequences/long.h"
#include "tutorials/common/keep_memory.h"

namespace {

void quick(const Data& data) {
  // [quick]
  KeySequence keys(1);
  LinearClassifier linear(keys);
  HiddenLayer hidden(keys);
  VisionTransformer model(config_of(4), 1), orderless(config_of(4, Position::kNone), 1);
  const Tensor at_first = similarities(model);
  const Digits known = random_digits(data.train, 1000, {2}), other = shuffled(data.held_out, 4);
  {
    const Part part("quick");
    std::printf("                        parameters     training  held out\n");
    const auto row = [&](const char* name, auto& model, double rate) {
      learn(model, data.train, 700, rate, 1);
      std::printf("%-24s %9d %10.1f %% %7.1f %%\n", name, int(count(parameters(model))),
                  percent_right(model, known), percent_right(model, data.held_out));
    };
    row("linear", linear, 0.03);
    row("hidden layer of 100", hidden, 0.01);
    row("transformer", model, 0.005);
  }
  learn(orderless, data.train, 700, 0.005, 1);
  {
    const Part part("order");
    std::printf("                            as drawn   shuffled\n");
    const auto row = [&](const char* name, const auto& model) {
      std::printf("%-24s %9.1f %% %8.1f %%\n", name, percent_right(model, data.held_out),
                  percent_right(model, other));
    };
    row("linear", linear);
    row("hidden layer of 100", hidden);
    row("transformer", model);
    row("without positions", orderless);
  }
  shuffle(data, orderless);
  opening(data, model, orderless);
  // [quick]
  // [looks]
  const NoGrad no_grad;
  const std::vector<Index> first = first_of_each(data.held_out);
  const Digits ten = some_of(data.held_out, first), four = some_of(data.held_out, {first[4]});
  const IndexTensor guesses = argmax(model(ten.images), -1);
  draw_attention(ten.images, weights_of(model, ten.images).back(),
                 {guesses.begin(), guesses.end()});
  draw_explorer(four.images, grids_of(model, four));
  draw_similarities(at_first, similarities(model));
  // [looks]
}

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Data data;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(data);
    return 0;
  }
  const auto run = [](const char* name, auto&& print) {
    const Part part(name);
    print();
  };
  run("patches", patches);
  run("shapes", [&] { shapes(data); });
  run("drawn", [&] { drawn(data); });
  draw_both(data);
  quick(data);
  run("cost", cost);
  run("masked", [&] { masked(data); });
}
// [main]
