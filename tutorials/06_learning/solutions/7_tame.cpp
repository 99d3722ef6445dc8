// At a rate of 0.3 clipping to 1 was enough: about three times the rate, about a third of the norm.
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {
      .steps = 400, .schedule = {.rate = 1, .floor = 0, .warmup = 50, .decay = 400}, .clip = 0.25};
}
