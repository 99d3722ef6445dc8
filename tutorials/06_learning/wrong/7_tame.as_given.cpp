// rejected: steps that are too long
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {
      .steps = 300, .schedule = {.rate = 1, .floor = 1, .warmup = 0, .decay = 300}, .clip = 1e9};
}
