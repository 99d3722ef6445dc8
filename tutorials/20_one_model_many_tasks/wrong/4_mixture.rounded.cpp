// rejected: draw each row
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows, const RandomKey& key) {
  const double largest = *std::max_element(examples.begin(), examples.end());
  std::vector<double> weights;
  double total = 0;
  for (const double n : examples) {
    weights.push_back(std::exp(std::log(n / largest) / temperature));
    total += weights.back();
  }
  std::vector<Index> counts;
  for (double& x : weights) counts.push_back(Index(std::floor(x * double(rows) / total + 0.5)));
  std::size_t most =
      std::size_t(std::max_element(weights.begin(), weights.end()) - weights.begin());
  counts[most] +=
      rows - std::accumulate(counts.begin(), counts.end(), Index{0}) + 0 * Index(key.seed);
  return counts;
}
