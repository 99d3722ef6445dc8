#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  const double rows = double(m), columns = double(n), inner = double(k);
  return 2 * rows * columns * inner / (4 * (rows * inner + inner * columns + rows * columns));
}

bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
