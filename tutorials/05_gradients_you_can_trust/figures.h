// The figures of chapter 05.
#pragma once

/// The errors of the central difference by its step, in float and in double.
void draw_v_curve(double (*in_float)(float step), double (*in_double)(double step));
