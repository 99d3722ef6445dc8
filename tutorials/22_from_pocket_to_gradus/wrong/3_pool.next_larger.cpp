// rejected: of another size
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

namespace {

std::size_t rounded(std::size_t bytes) {
  std::size_t step = 64;
  while (16 * step < bytes) step *= 2;  // sizes up to 16 steps: the upper 8 are a doubling
  return std::max<std::size_t>(1, (bytes + step - 1) / step) * step;
}

}  // namespace

void* Pool::take(std::size_t bytes) {
  // The list of this size, or the next larger one that has a piece.
  auto list = free_pieces.lower_bound(rounded(bytes));
  while (list != free_pieces.end() && list->second.empty()) ++list;
  if (list == free_pieces.end() || list->first > 2 * rounded(bytes))
    return from_system(rounded(bytes));
  std::vector<void*>& pieces = list->second;
  void* piece = pieces.back();
  pieces.pop_back();
  return piece;
}

void Pool::give(void* piece, std::size_t bytes) { free_pieces[rounded(bytes)].push_back(piece); }
