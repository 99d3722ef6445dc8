// Exercise 21.5, 10 minutes: every image shuffled in the same way.
//
// One random order of the 16 patches, the same for all images, in training and test. What happens
// to the accuracy of each model? Predict it, then run. Afterwards predict it for a model without
// positions (Position::kNone), with kShuffled = 4, 8 and 2: the model always cuts patches of 4.
#include <cstdio>

#include "tutorials/21_images_as_sequences/digits.h"
#include "tutorials/21_images_as_sequences/exercises.h"

using namespace digits;

constexpr Position kPositions = Position::kLearned;
constexpr Index kShuffled = 4;  // the side of the patches that are shuffled

struct LinearClassifier {
  LinearClassifier(KeySequence& keys) : map(256, 10, keys) {}
  Tensor operator()(const Tensor& images) const {
    return map(reshape(images, {images.size(0), -1}));
  }
  void fields(auto&& f) { f("map", map); }
  Linear map;
};

void learn_and_print(const char* name, auto model, double rate, const Digits& train_on,
                     const Digits& held_out) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = 50, .decay = 450};
  train(optimiser, {.steps = 450, .schedule = schedule}, [&](int step) {
    const Digits batch = random_digits(train_on, 16, {1, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(batch.images), batch.labels);
  });
  const NoGrad no_grad;
  const IndexTensor guesses = argmax(model(held_out.images), -1);
  double right = 0;
  for (Index i = 0; i < guesses.size(); ++i) {
    right += guesses.data()[i] == held_out.labels.data()[i];
  }
  std::printf("%-12s %5.1f %% right\n", name, 100 * right / double(guesses.size()));
}

int main() {
  Digits train_on = draw_digits(0, 6000), held_out = draw_digits(6000, 1000);
  const std::vector<Index> fixed = random_order(16 / kShuffled * (16 / kShuffled), {.seed = 2});
  for (const bool shuffled : {false, true}) {
    if (shuffled) {
      const auto order = [&](Index) { return fixed; };  // for every image
      train_on.images = with_patches(train_on.images, kShuffled, order);
      held_out.images = with_patches(held_out.images, kShuffled, order);
    }
    std::printf(shuffled ? "in a fixed order:\n" : "as drawn:\n");
    VisionConfig config{.height = 16, .width = 16, .patch = 4};
    config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = kPositions};
    KeySequence keys(1);
    learn_and_print("linear", LinearClassifier(keys), 0.03, train_on, held_out);
    learn_and_print("transformer", VisionTransformer(config, 1), 0.005, train_on, held_out);
  }
}
