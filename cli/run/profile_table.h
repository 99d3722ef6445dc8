/// @file
/// Prints a profile as a table.
#pragma once

#include <vector>

#include "autograd/inspect/profile.h"
#include "cli/program/display.h"
#include "nn/train/ranks.h"

namespace gradus {

/// Prints the mean time of a round: the ops sorted by their time, then the time in matrix products
/// and the rest.
void show_profile(Display& display, const Profile& profile);

/// Prints the time of a step on each rank. With one rank, prints nothing.
void show_ranks(Display& display, const std::vector<RankTimes>& times);

}  // namespace gradus
