// Exercise 21.4, 25 minutes: a digit of your own.
//
// The model learns from 6000 drawn digits, for 1000 steps. How many of the 16 patches of this digit
// change when it moves two pixels to the right? Predict what the model reads as drawn and moved.
// Then run, and draw your own. How far can kMoved and kDown move the 7 until the model reads
// another digit? Last, set kPosition to Position::kNone: with which kPatch are all probabilities
// the same as drawn and moved?
#include <cstdio>

#include "tutorials/21_images_as_sequences/digits.h"
#include "tutorials/21_images_as_sequences/exercises.h"

using namespace digits;

constexpr const char* kDrawing[kSide] = {
    "................",  //
    "................",  //
    "....#######.....",  //
    "....#######.....",  //
    ".........##.....",  //
    ".........##.....",  //
    "........##......",  //
    "........##......",  //
    ".......##.......",  //
    ".......##.......",  //
    "......##........",  //
    "......##........",  //
    "................",  //
    "................",  //
    "................",  //
    "................",  //
};
constexpr Index kMoved = 2;  // pixels to the right
constexpr Index kDown = 0;   // pixels down
constexpr Index kPatch = 4;  // the side of a patch: 8, 4 or 2
constexpr Position kPosition = Position::kLearned;

void print_reading(const char* name, const VisionTransformer& model, const Tensor& image) {
  const NoGrad no_grad;
  const Tensor logits = model(image), probabilities = softmax(logits);
  std::printf("%-9s", name);
  for (const Scalar p : probabilities) std::printf(" %4.0f %%", 100 * double(p));
  std::printf("   %d\n", int(argmax(logits, -1).data()[0]));
}

int main() {
  const Digits train_on = draw_digits(0, 6000);
  VisionConfig config{.height = kSide, .width = kSide, .patch = kPatch};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = kPosition};
  VisionTransformer model(config, 1);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 0.005, .floor = 0.0005, .warmup = 50, .decay = 1000};
  train(optimiser, {.steps = 1000, .schedule = schedule}, [&](int step) {
    const Digits batch = random_digits(train_on, 16, {1, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(batch.images), batch.labels);
  });
  Tensor image({1, kSide, kSide}), moved({1, kSide, kSide});
  for (Index i = 0; i < kSide * kSide; ++i) {
    if (kDrawing[i / kSide][i % kSide] != '#') continue;
    image.mutable_data()[i] = 1;
    const Index x = i % kSide + kMoved, y = i / kSide + kDown;
    if (x < kSide && y < kSide) moved.mutable_data()[y * kSide + x] = 1;
  }
  const auto order = [](Index) {
    return random_order(kSide / kPatch * (kSide / kPatch), {.seed = 8});
  };
  std::printf(
      "               0      1      2      3      4      5      6      7      8      9   read "
      "as\n");
  print_reading("as drawn", model, image);
  print_reading("moved", model, moved);
  print_reading("shuffled", model, with_patches(image, kPatch, order));
}
