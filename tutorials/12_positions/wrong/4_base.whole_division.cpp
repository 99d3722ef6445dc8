// rejected: 50 positions, 128 channels: with base
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  return std::pow(double(positions) / 3.141592653589793, double(channels / (channels - 2)));
}
