// rejected: compare operations a byte
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  const double x = double(m), y = double(n), z = double(k);
  return 2 * x * y * z / (4 * (x * z + z * y + x * y));
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes > machine.operations;
}
