// Exercise 20.4, 15 minutes: how many rows of each task?
//
// Task i has examples[i] examples. Its share of the rows of a batch should be near
//
//     examples[i]^(1 / temperature) / sum over j of examples[j]^(1 / temperature)
//
// Return how many of a batch's rows each task gets. First each task gets its share of the rows,
// rounded down. The rows that are left go to the tasks with the largest remainders, one each; of
// equal remainders the first. All counts are above 0, and the temperature may be far below 1.
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows) {
  return {};
}
