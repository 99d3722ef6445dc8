// rejected: eight sizes for each doubling
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

static std::size_t rounded(std::size_t bytes) {
  std::size_t size = 64;
  while (size < bytes) size *= 2;
  return size;
}
void* Pool::take(std::size_t bytes) {
  std::vector<void*>& pieces = free_pieces[rounded(bytes)];
  if (pieces.empty()) return from_system(rounded(bytes));
  void* piece = pieces.back();
  pieces.pop_back();
  return piece;
}
void Pool::give(void* piece, std::size_t bytes) { free_pieces[rounded(bytes)].push_back(piece); }
