// Exercise 22.3: Which line of pocket first?
//
// Before, and after:
//
//   A  strided():  to[at] += from[i];         sum += from[i]; after each row, to[at] += sum;
//   B  record():   node->closure = closure;   node->closure = std::move(closure);
//   C  map():      return {slopes * dy};      slopes[i] *= dy[i] for all i; return {slopes};
//
// three_lines.h has pocket with both, of which `changed` chooses, and counts.
#include <cstdio>

#include "tutorials/22_from_pocket_to_gradus/three_lines.h"

using namespace pocket;

int main() {
  Gpt model({.vocab_size = 61, .n_positions = 32, .n_layer = 2, .n_head = 4, .n_embd = 64}, 1);
  const Tokens tokens = [] {
    Tokens drawn;
    for (Index i = 0; i < 513; ++i) {
      drawn.push_back(static_cast<std::int32_t>(uniform_index({.seed = 1}, i, 61)));
    }
    return drawn;
  }();
  const Batch batch = batch_at(tokens, {0, 100, 200, 300, 400, 480}, 32);
  std::printf("             memory     millions of numbers\n");
  std::printf("line     MB  pieces  by strides  row sums in memory    loss\n");
  for (const char line : {'-', 'A', 'B', 'C'}) {
    for (NamedTensor x : parameters(model)) x.tensor.zero_grad();
    changed = line, pieces = megabytes = visits = in_memory = 0;
    const Tensor loss = model.loss(batch.inputs, batch.targets);
    backward(loss);
    std::printf("%c     %5.1f  %6.0f %11.2f %19.2f  %.4f\n", line, megabytes, pieces, visits,
                in_memory, double{loss.item()});
  }
}
