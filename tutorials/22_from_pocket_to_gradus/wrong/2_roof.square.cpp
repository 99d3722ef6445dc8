// rejected: expected
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  return double(m + n + k) / 18;  // n / 6 of a square product
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
