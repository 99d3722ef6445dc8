// positions base^(-(C - 2) / C) = pi, solved for the base.
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  const double half_turn = 3.14159265358979323846, width = double(channels);
  return std::pow(double(positions) / half_turn, width / (width - 2));
}
