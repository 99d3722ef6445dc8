// rejected: a float has four bytes
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) {
  return 2 * double(m) * double(n) * double(k) / (double(m * k) + double(k * n) + double(m * n));
}
bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) {
  return intensity(m, n, k) * machine.bytes < machine.operations;
}
