// rejected: 1000 positions, 4 channels: with base
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  return std::pow(double(positions) / 3.141592653589793, double(channels - 2) / double(channels));
}
