// rejected: compute in double
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  return double(2 * m * n * k) / double(4 * (m * k + k * n + m * n));
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
