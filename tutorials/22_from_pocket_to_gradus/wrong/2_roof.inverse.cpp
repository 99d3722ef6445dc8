// rejected: that is bytes for each operation
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  return 4 * (double(m * k) + double(k * n) + double(m * n)) /
         (2 * double(m) * double(n) * double(k));
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
