/// @file
/// Training as a command does it: the plan, progress, logs, signals, checkpoints, and what is said
/// at the end.
#pragma once

#include "cli/run/begin.h"

namespace gradus {

/// Plans and trains a run that has begun. All ranks do the same, but that the first alone has an
/// out_dir, and a display that somebody sees. Returns the exit code.
int carry_out(const Run& run);

}  // namespace gradus
