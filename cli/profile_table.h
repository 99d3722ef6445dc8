/// @file
/// A profile as a table for users.
#pragma once

#include "autograd/inspect/profile.h"
#include "cli/display.h"

namespace gradus {

/// Shows where the time of a mean round went: ops by their time, then what is in matrix products
/// and what is not.
void show_profile(Display& display, const Profile& profile);

}  // namespace gradus
