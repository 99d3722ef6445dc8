// The figures of chapter 06.
#pragma once

#include "tutorials/common/grid.h"

/// Points x [n, 2] of two arms y [n, 1], and the line on which a net says 0, by its outputs [k k,
/// 1] at a grid of places [k k, 2], row after row.
void draw_spiral(const course::Grid& x, const course::Grid& y, const course::Grid& places,
                 const course::Grid& outputs);
