// Exercise 10.4, 5 minutes: heads that change places.
//
// An attention of two heads. Step by step, the program swaps the heads' halves: of the query map,
// of the key map, of the value map, and of the output map. After each swap it prints the largest
// change of the result, compared with the start. After which steps is it 0?
#include <cmath>
#include <cstdio>

#include "tutorials/10_multi_head_attention/exercises.h"

int main() {
  KeySequence keys(5);
  MultiHeadAttention attention(6, 2, keys, {});
  const Tensor x = normal({1, 4, 6}, {.seed = 1});
  const Tensor before = attention(x, x);
  const auto print_change = [&](const char* what) {
    const Tensor after = attention(x, x);
    Scalar largest = 0;
    for (Index i = 0; i < before.size(); ++i)
      largest = std::max(largest, std::abs(after.data()[i] - before.data()[i]));
    std::printf("%-10s swapped: the largest change is %.3f\n", what, largest);
  };
  const auto swap_halves = [](const Tensor& weight, int axis) {
    const auto halves = split(weight, 2, axis);
    return concat({halves[1], halves[0]}, axis);
  };
  for (auto [map, name] : {std::pair(&attention.query, "queries"),
                           {&attention.key, "keys"},
                           {&attention.value, "values"}}) {
    map->weight = swap_halves(map->weight, 1);
    print_change(name);
  }
  attention.output.weight = swap_halves(attention.output.weight, 0);
  print_change("output");
}
