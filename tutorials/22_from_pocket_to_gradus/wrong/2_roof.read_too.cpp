// rejected: the result is written once, and not read
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  return 2 * double(m) * double(n) * double(k) /
         (4 * (double(m * k) + double(k * n) + 2 * double(m * n)));
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
