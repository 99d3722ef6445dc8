// Exercise 04.4, 30 minutes: an op of your own.
//
// y = ln(e^a + e^b), element by element, with broadcasting: the logarithm of the sum of two numbers
// whose logarithms are a and b. Compute y with elementwise(), then record() it with the gradients
// of a and b. It must also be right for a = 10000, where e^a is infinite.
#include "tutorials/04_gradients_of_tensors/exercises.h"

using namespace pocket;

Tensor logaddexp(const Tensor& a, const Tensor& b) { return a + b; }
