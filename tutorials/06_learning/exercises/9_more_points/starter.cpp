// Exercise 06.9, 5 minutes: more points, less noise.
//
// The network of the last section, without decay and dropout, from five seeds. Trained on 60
// points, it puts 49 of 1000 new points on the wrong arm; trained on 260, it puts 20 there. How
// many will it put there with 120, 480 and 960 points? And with 60 points and half the noise?
// Guess the last column, too: how many mistakes does the noise alone explain?
#include <cstdio>

#include "tutorials/06_learning/spiral.h"

using namespace pocket;
using namespace spiral;

void row(Index points, double noise) {
  const Setting setting{.options = {.steps = 800, .schedule = {0.01, 0, 20, 800}, .clip = 1e9},
                        .noise = Scalar(noise),
                        .points = points};
  const Runs runs = runs_of<AdamW>(AdamWOptions{.weight_decay = 0}, setting);
  double likelier = 0;
  for (int seed = 1; seed <= 5; ++seed) {
    likelier += likelier_on_other_arm(Points(1000, Scalar(noise), seed + 200), noise) / 5.0;
  }
  std::printf("%6d  %5.2f  %-26s  %-14s  %17.0f\n", int(points), noise, text(runs).c_str(),
              text(runs, kWrong).c_str(), likelier);
}

int main() {
  std::printf("points  noise  in training                 wrong of 1000   likelier on other\n");
  for (const Index points : {60, 120, 260, 480, 960}) row(points, 0.1);
  row(60, 0.05);
}
