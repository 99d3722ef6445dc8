// Exercise 06.4, 5 minutes: Nesterov's momentum.
//
// One step for numbers w with this gradient. The velocity changes as with plain momentum. But w
// moves by the velocity that the next step would have if it got the same gradient. The velocity may
// be empty before the first step: then it starts as zeros.
#include "tutorials/06_learning/exercises.h"

void my_nesterov(Scalars& w, const Scalars& gradient, Scalars& velocity, float learning_rate,
                 float momentum) {}
