/// @file
/// What chapter 07 draws.
#pragma once

#include <string>

#include "tutorials/common/grid.h"

namespace course {

/// The counted table p [V, V], and the surprise of it at a short text.
void draw(const Grid& p, const std::string& vocabulary);

}  // namespace course
