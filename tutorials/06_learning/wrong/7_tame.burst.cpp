// rejected: the mean must be
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {
      .steps = 300, .schedule = {.rate = 1, .floor = 0.1, .warmup = 0, .decay = 30}, .clip = 0.5};
}
