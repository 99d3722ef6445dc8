/// @file
/// A profile as a table for users.
#pragma once

#include <vector>

#include "autograd/inspect/profile.h"
#include "cli/program/display.h"
#include "nn/train/ranks.h"

namespace gradus {

/// Shows where the time of a mean round went: ops by their time, then what is in matrix products
/// and what is not.
void show_profile(Display& display, const Profile& profile);

/// Prints what a step takes on each rank; nothing for one without others.
void show_ranks(Display& display, const std::vector<RankTimes>& times);

}  // namespace gradus
