/// @file
/// Trains as a command does, with plan, progress, logs, signals, checkpoints and results.
#pragma once

#include "cli/run/begin.h"

namespace gradus {

/// Plans and trains a run that has begun. All ranks do the same work, but only rank 0 has an
/// out_dir and a visible display. Returns the exit code.
int carry_out(const Run& run);

}  // namespace gradus
