// rejected: 32 ranks, 1 number
#include "tutorials/23_several_machines/exercises.h"

void my_sum_by_doubling(Ranks& ranks, std::span<Scalar> numbers) {
  std::vector<Scalar> arrived(numbers.size());
  for (const int distance : {1, 2, 4, 8}) {
    if (distance >= ranks.size) return;
    const int other = ranks.rank ^ distance;
    ranks.transfer(other, numbers, other, arrived);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += arrived[i];
  }
}
