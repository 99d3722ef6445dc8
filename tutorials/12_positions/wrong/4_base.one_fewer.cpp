// rejected: from position 0 to position `positions` are that many steps
#include "tutorials/12_positions/exercises.h"

double my_base(Index positions, Index channels) {
  return std::pow(double(positions - 1) / 3.141592653589793,
                  double(channels) / double(channels - 2));
}
