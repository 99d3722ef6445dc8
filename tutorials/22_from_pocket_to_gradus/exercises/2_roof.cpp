// Exercise 22.2: Below which roof?
//
// intensity() is the number of operations for each byte of a product [m, k] times [k, n] of floats:
// a multiplication and an addition for each term; each factor read once, the result written once.
// The product waits for memory if the machine computes for less time than it moves bytes.
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

double intensity(Index m, Index n, Index k) { return 0; }

bool waits_for_memory(Index m, Index n, Index k, const Machine& machine) { return false; }
