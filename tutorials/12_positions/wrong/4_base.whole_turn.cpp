// rejected: that is a whole turn
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  return std::pow(double(positions) / 6.283185307179586, double(channels) / double(channels - 2));
}
