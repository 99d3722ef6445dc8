// Exercise 20.4, 20 minutes: how many rows of each task?
//
// Task i has examples[i] examples. Each row of a batch is to be of task i with the probability
//
//     examples[i]^(1 / temperature) / sum over j of examples[j]^(1 / temperature)
//
// whatever the batch's other rows are. Draw the task of each row, with the numbers of `key`, and
// return how many rows each task gets. All counts are above 0, and the temperature may be far
// below 1. pocket has `uniform(shape, key)`, from chapter 06.
//
// Once your draws are right, the check measures them, and trains with them on 2000 tweets and 20
// translations. Predict first: what becomes of the 20, and of held-out translations, at
// temperature 1, 3 and 1000?
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows, const RandomKey& key) {
  return {};
}
