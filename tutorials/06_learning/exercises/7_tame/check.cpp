#include "tutorials/common/check.h"

#include "tutorials/06_learning/exercises.h"
#include "tutorials/06_learning/spiral.h"

using gradus::green, gradus::red;

CHECK_ANSWER() {
  spiral::Setting setting = spiral::at_rate(1);
  pocket::TrainOptions& options = setting.options;
  const pocket::TrainOptions mine = my_options();
  options.steps = 300, options.schedule = mine.schedule, options.clip = mine.clip;
  if (mine.steps != 300) red("there are 300 steps, got ", mine.steps);
  double most = 0, total = 0;
  for (int step = 0; step < 300; ++step) {
    const double rate = options.schedule.at(step);
    most = std::max(most, rate), total += rate;
  }
  char text[300];
  std::snprintf(text, sizeof text, "the rate's maximum is %.2f and its mean %.2f", most,
                total / 300);
  if (!(most > 0.99 && most < 1.01)) red(text, ": it must reach 1, and no more");
  if (!(total >= 120)) red(text, ": the mean must be at least 0.4");
  const auto runs = spiral::runs_of<pocket::Sgd>(pocket::SgdOptions{.momentum = 0.9}, setting);
  std::string losses = "the losses are", living;
  double worst = 0, alive = 0;
  for (const spiral::Losses& run : runs) {
    std::snprintf(text, sizeof text, " %.2g", run[spiral::kTrained]);
    losses += text;
    worst = std::max(worst, std::isfinite(run[0]) ? run[spiral::kTrained] : 1e9);
    alive += run[spiral::kAlive] / 5;
  }
  std::snprintf(text, sizeof text, "; of 32 units %.0f are alive", alive);
  losses += text;
  if (!(worst < 0.01)) {
    red(losses, "\nlikely cause: ",
        (alive < 20 ? "steps that are too long: they kill units"
         : options.schedule.at(299) > 0.4
             ? "the last steps are too long to settle: the loss swings"
             : "steps that are too short, or a few that are too long"));
  }
  green(losses);
}
