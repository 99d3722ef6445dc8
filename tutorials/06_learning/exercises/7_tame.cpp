// Exercise 06.7, 15 minutes: tame a rate of 1.
//
// An experiment: momentum at a rate of 1, where each run of the page would die. Choose the clipping
// and the schedule so that all five seeds end below 0.01 after 400 steps. The rate must reach 1,
// and its mean over the steps must be at least 0.4. `./run exercise 06.7 --watch` checks whenever
// you save.
#include "tutorials/06_learning/exercises.h"

pocket::TrainOptions my_options() {
  return {.steps = 400, .schedule = {.rate = 1, .floor = 0, .warmup = 0, .decay = 400}, .clip = 1};
}
