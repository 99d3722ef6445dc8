// rejected: too long to settle
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {
      .steps = 300, .schedule = {.rate = 1, .floor = 0.5, .warmup = 0, .decay = 300}, .clip = 0.25};
}
