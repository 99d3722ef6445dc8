// Exercise 25.4, 20 minutes: slow down the slow pairs.
//
// Llama 3.1 reads texts that are s times as long as its first training texts. Its rule changes a
// pair by the number of turns that it makes in `trained` positions: below `low` turns, its
// frequency is divided by s; above `high` turns, it stays. In between, both are mixed. The share of
// the unchanged frequency grows evenly from 0 at `low` turns to 1 at `high` turns.
#include "tutorials/25_the_block_of_today/exercises.h"

std::vector<double> slow_pairs(const std::vector<double>& frequencies, double s, Index trained,
                               double low, double high) {
  return frequencies;
}
