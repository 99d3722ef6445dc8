// Three times the rate of the page: about a third of its norm or less, and a way down.
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {.steps = 300,
          .schedule = {.rate = 1, .floor = 0.1, .warmup = 50, .decay = 300},
          .clip = 0.25};
}
