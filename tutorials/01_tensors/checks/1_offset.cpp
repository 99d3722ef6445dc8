#include <sstream>

#include "tutorials/01_tensors/exercises.h"
#include "tutorials/common/check.h"

namespace {

/// The indices after these, the last one counting fastest.
void advance(const Shape& shape, std::vector<Index>& indices) {
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    Index& i = indices[static_cast<std::size_t>(axis)];
    if (++i < shape[axis]) return;
    i = 0;
  }
}

/// Likely mistakes: the offset that each would give.
std::string cause_of(const Shape& shape, const std::vector<Index>& indices, Index got,
                     Index right) {
  const int rank = shape.rank();
  Index first_fastest = 0, own = 0, next = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const Index i = indices[static_cast<std::size_t>(axis)];
    first_fastest += i * shape.product(0, axis);
    own += i * shape.product(axis, rank);
    next += i * (axis + 1 < rank ? shape[axis + 1] : 1);
  }
  if (got == first_fastest) {
    return "the first axis is taken for the one whose neighbours lie side by side; it is the last";
  }
  if (got == right * static_cast<Index>(sizeof(Scalar))) {
    return "counted in bytes; an offset counts numbers";
  }
  if (got == own) {
    return "each index was multiplied by the size of its own axis too; only later axes lie between";
  }
  if (got == next) {
    return "the step of an axis is the size of the next one alone; it is the product of all later "
           "ones";
  }
  return "an index counts steps, and a step is the product of the sizes of all later axes";
}

}  // namespace

int main() {
  return run_check([] {
    // The largest first, so that mistakes show that smaller ones hide.
    for (const Shape& shape :
         {Shape{2, 3, 5, 7}, Shape{2, 3, 4}, Shape{5, 1, 2}, Shape{3, 4}, Shape{6}}) {
      std::vector<Index> indices(static_cast<std::size_t>(shape.rank()));
      // From the last element, where mistakes are largest, then through all from the first.
      for (int axis = 0; axis < shape.rank(); ++axis) {
        indices[static_cast<std::size_t>(axis)] = shape[axis] - 1;
      }
      for (Index n = -1; n < shape.size(); ++n) {
        const Index right = n < 0 ? shape.size() - 1 : n, got = offset_of(shape, indices);
        if (got != right) {
          std::ostringstream message;
          message << "shape " << shape << ", indices {";
          for (std::size_t i = 0; i < indices.size(); ++i) {
            message << (i > 0 ? ", " : "") << indices[i];
          }
          message << "}: got " << got << ", expected " << right
                  << "\nlikely cause: " << cause_of(shape, indices, got, right);
          red(message.str());
        }
        advance(shape, indices);
      }
      std::ostringstream done;
      done << "all " << shape.size() << " elements of " << shape;
      green(done.str());
    }
    if (offset_of(Shape{}, {}) != 0) red("the only element of shape [] lies at offset 0");
    green("the only element of []");
  });
}
