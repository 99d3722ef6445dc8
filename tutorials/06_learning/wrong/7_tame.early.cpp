// rejected: the mean must be at least 0.4
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {.steps = 300, .schedule = {.rate = 1, .floor = 0, .warmup = 0, .decay = 40}, .clip = 1};
}
