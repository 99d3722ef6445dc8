// A softmax of logarithms of counts, and for each row a number that falls into one task's part.
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
  std::vector<Index> counts(examples.size());
  for (const Scalar draw : uniform({rows}, key)) {
    double rest = draw * total;
    std::size_t task = 0;
    while (task + 1 < weights.size() && rest >= weights[task]) rest -= weights[task++];
    ++counts[task];
  }
  return counts;
}
