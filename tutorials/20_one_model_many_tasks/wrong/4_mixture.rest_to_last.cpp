// rejected: of equal remainders the first
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows) {
  const double largest = *std::max_element(examples.begin(), examples.end());
  std::vector<double> remainders;
  double total = 0;
  for (const double n : examples) {
    remainders.push_back(std::exp(std::log(n / largest) / temperature));
    total += remainders.back();
  }
  std::vector<Index> result;
  Index left = rows;
  for (double& x : remainders) {
    x *= double(rows) / total;
    result.push_back(Index(std::floor(x + 1e-9)));
    x -= double(result.back());
    left -= result.back();
  }
  for (; left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < remainders.size(); ++i) {
      if (remainders[i] > remainders[most] - 1e-9 && remainders[i] >= 0) most = i;
    }
    ++result[most];
    remainders[most] = -1;
  }
  return result;
}
