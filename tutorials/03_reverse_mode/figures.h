// The drawings of chapter 03.
#pragma once

#include "tutorials/03_reverse_mode/moons.h"

/// The backward pass over the chapter's second graph, to click through: a, b, s, t, y.
void draw_steps(const std::vector<engine::Value>& nodes);

/// The points, and the line on which the net gives 0.
void draw_moons(const moons::Net& net, const std::vector<moons::Point>& points);
