// rejected: the square is that of tanh(x), not of x
#include "tutorials/03_reverse_mode/exercises.h"

Made my_product(double a, double b) { return {a * b, {b, a}}; }

Made my_tanh(double x) { return {std::tanh(x), {1 - x * x}}; }
