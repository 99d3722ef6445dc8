/// @file
/// `gradus train`: makes a run from flags and a checkpoint, plans it and carries it out.

#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/run/begin.h"
#include "cli/run/carry_out.h"
#include "cli/run/settle.h"
#include "cli/run/train_flags.h"

namespace gradus {

int train_command(const Arguments& arguments) {
  join_ranks(arguments);
  Run run;
  Flags flags("train", "Trains a model: a GPT on a text, or another on examples.");
  add_train_flags(flags, run.settings);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check_ignored(flags, run.settings);
  if (run.settings.init_from == "resume") {
    go_on(flags, run);
  } else {
    begin(flags, run);
  }
  return carry_out(run);
}

}  // namespace gradus
