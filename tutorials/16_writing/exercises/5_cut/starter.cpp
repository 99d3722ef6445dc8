// Exercise 16.5, 5 minutes: a window that is cut.
//
// When the window is full, generate() reads the last three quarters again. It would be cheaper to
// cut the cache: drop the oldest keys and values, here 4 of 12, and go on. Would the logits be the
// same, with one block and with two? Compare learned positions, no positions, and ALiBi and rotary
// positions from chapter 13.
#include <cstdio>

#include "tutorials/pocket/write.h"

using namespace pocket;

double difference(Position position, int blocks) {
  Gpt model({.vocab_size = 9,
             .n_positions = 16,
             .n_layer = blocks,
             .n_head = 2,
             .n_embd = 12,
             .position = position},
            4);
  visit_parameters(model, [](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = x * Scalar(25);  // as after training: far from all alike
  });
  const Tokens text{3, 1, 4, 1, 5, 8, 2, 6, 5, 3, 5, 8};
  InferenceSession cut(model), again(model);
  cut.step(text);
  for (auto& cache : cut.caches) {
    cache.keys = slice(cache.keys, 2, 4), cache.values = slice(cache.values, 2, 4);
  }
  // A rotated key keeps its angle, so the next token must keep its own, too.
  cut.length = position == Position::kRotary ? 12 : 8;
  again.step(Tokens(text.begin() + 4, text.end()));
  const std::vector<Scalar> a = cut.step({7}), b = again.step({7});
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(double{a[i]} - b[i]));
  return largest;
}

int main() {
  std::printf("learned positions, one block   %.6f\n", difference(Position::kLearned, 1));
  std::printf("learned positions, two blocks  %.6f\n", difference(Position::kLearned, 2));
  std::printf("no positions, one block        %.6f\n", difference(Position::kNone, 1));
  std::printf("no positions, two blocks       %.6f\n", difference(Position::kNone, 2));
  std::printf("ALiBi, one block               %.6f\n", difference(Position::kAlibi, 1));
  std::printf("ALiBi, two blocks              %.6f\n", difference(Position::kAlibi, 2));
  std::printf("rotary, one block              %.6f\n", difference(Position::kRotary, 1));
  std::printf("rotary, two blocks             %.6f\n", difference(Position::kRotary, 2));
}
