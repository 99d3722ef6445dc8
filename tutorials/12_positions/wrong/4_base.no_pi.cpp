// rejected: 1000 positions, 4 channels: with base 1000000
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  return std::pow(double(positions), double(channels) / double(channels - 2));
}
