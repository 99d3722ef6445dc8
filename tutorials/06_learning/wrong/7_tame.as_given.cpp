// rejected: steps that are too long
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {.steps = 400, .schedule = {.rate = 1, .floor = 0, .warmup = 0, .decay = 400}, .clip = 1};
}
