// rejected: an int or unsigned wraps
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

namespace {

int rounded(std::size_t bytes) {
  std::size_t step = 64;
  while (16 * step < bytes) step *= 2;  // sizes up to 16 steps: the upper 8 are a doubling
  return int(std::max<std::size_t>(1, (bytes + step - 1) / step) * step);
}

}  // namespace

void* Pool::take(std::size_t bytes) {
  std::vector<void*>& pieces = free_pieces[std::size_t(rounded(bytes))];
  if (pieces.empty()) return from_system(std::size_t(rounded(bytes)));
  void* piece = pieces.back();
  pieces.pop_back();
  return piece;
}

void Pool::give(void* piece, std::size_t bytes) {
  free_pieces[std::size_t(rounded(bytes))].push_back(piece);
}
