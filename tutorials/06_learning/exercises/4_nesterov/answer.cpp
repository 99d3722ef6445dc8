// The step looks ahead: one more step of momentum is added to the step of plain momentum.
#include "tutorials/06_learning/exercises.h"

void my_nesterov(Scalars& w, const Scalars& gradient, Scalars& velocity, float learning_rate,
                 float momentum) {
  velocity.resize(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    velocity[i] = momentum * velocity[i] + gradient[i];
    w[i] -= learning_rate * (gradient[i] + momentum * velocity[i]);
  }
}
