// Chapter 01's readings of one memory: the cell of each element of a view.
#include "live/live.h"
#include "tutorials/01_tensors/exercises/4_views/answer.cpp"

using live::Numbers;

namespace {

enum class Reading { kPlain, kTransposed, kSliced, kFlipped, kBroadcast };

Shape shape_of(Numbers::const_iterator begin, Numbers::const_iterator end) {
  return Shape(begin, end);
}

View read_as(Reading reading, const Shape& shape, const Shape& other, const Numbers& in) {
  const View all = view_of(Tensor(shape));
  const int axis = static_cast<int>(in[1]), rank = shape.rank();
  switch (reading) {
    case Reading::kTransposed: {
      check(rank > 1, "A transpose needs two axes, got ", shape);
      std::vector<int> axes(static_cast<std::size_t>(rank));
      std::iota(axes.begin(), axes.end(), 0);
      std::swap(axes.end()[-1], axes.end()[-2]);
      return permuted(all, axes);
    }
    case Reading::kSliced: {
      const Index begin = Index(in[2]), end = Index(in[3]);
      check(begin <= end && end <= shape[axis], "A slice from ", begin, " to ", end,
            " does not fit an axis of size ", shape[axis]);
      return sliced(all, axis, begin, end);
    }
    case Reading::kFlipped:
      return flipped(all, axis);
    case Reading::kBroadcast: {
      const Shape both = broadcast_shapes("x + y", shape, other);
      return {all.x, 0, both, broadcast_strides(shape, both)};
    }
    default:
      return all;
  }
}

/// The arguments are a reading, an axis, a slice's begin and end, the rank and shape of x, and the
/// shape of y. Returns the rank, shape and strides of the view of x, its first offset, and the
/// offset of each element.
Numbers read(const Numbers& in) {
  const auto y = in.begin() + 5 + static_cast<std::ptrdiff_t>(in[4]);
  const Shape shape = shape_of(in.begin() + 5, y), other = shape_of(y, in.end());
  check(shape.size() <= 48, shape, " has ", shape.size(), " numbers: choose at most 48");
  const View view = read_as(static_cast<Reading>(in[0]), shape, other, in);
  check(view.shape.size() <= 120, view.shape, " has ", view.shape.size(),
        " elements: choose at most 120");
  Numbers found{double(view.shape.rank())};
  found.insert(found.end(), view.shape.begin(), view.shape.end());
  found.insert(found.end(), view.strides.begin(), view.strides.end());
  found.push_back(double(view.first));
  for_each_element(view.shape, view.strides, view.strides,
                   [&](Index, Index at, Index) { found.push_back(double(view.first + at)); });
  return found;
}

const live::Piece piece("strides", {{"read", read}});

}  // namespace
