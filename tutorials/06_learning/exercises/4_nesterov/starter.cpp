// Exercise 06.4, 5 minutes: Nesterov's momentum.
//
// One step for numbers w with this gradient. The velocity changes as with plain momentum. But w
// already moves by the velocity that the next step would have if it met this gradient again. The
// velocity may still be empty, and then starts as zeros.
#include "tutorials/06_learning/exercises.h"

void my_nesterov(Scalars& w, const Scalars& gradient, Scalars& velocity, float learning_rate,
                 float momentum) {}
