// rejected: ranks have different bits
#include "tutorials/23_several_machines/exercises.h"

void my_sum_by_doubling(Ranks& ranks, std::span<Scalar> numbers) {
  std::vector<Scalar> arrived(numbers.size());
  for (int distance = 1; distance < ranks.size; distance *= 2) {
    const int to = (ranks.rank + distance) % ranks.size;
    const int from = (ranks.rank + ranks.size - distance) % ranks.size;
    ranks.transfer(to, numbers, from, arrived);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += arrived[i];
  }
}
