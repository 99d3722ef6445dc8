// rejected: it must reach 1
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {
      .steps = 300, .schedule = {.rate = 0.3, .floor = 0, .warmup = 50, .decay = 300}, .clip = 1};
}
