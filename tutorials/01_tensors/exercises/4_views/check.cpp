#include "tutorials/common/check.h"

#include "tutorials/01_tensors/exercises.h"

namespace {

Tensor counted(const Shape& shape) {
  std::vector<Scalar> values(shape.size());
  std::iota(values.begin(), values.end(), Scalar(0));
  return tensor(shape, values);
}

/// Compares the elements of a view with {shape, numbers}.
void see(const std::string& what, const Tensor& x, const View& got, const Tensor& right) {
  if (got.x.data() != x.data()) {
    gradus::red(what,
                ": the numbers are not x's own\nlikely cause: something was copied; only first, "
                "shape and strides change");
  }
  std::string strides;
  for (const Index stride : got.strides) strides += gradus::detail::text(" ", stride);
  const auto stop = [&](const auto&... words) {
    gradus::red(what, ": got shape ", got.shape, ", strides", strides, " and first ", got.first,
                "\n", words...);
  };
  if (got.shape != right.shape()) stop("expected shape ", right.shape());
  if (std::ssize(got.strides) != right.rank()) stop("there is one stride for each axis");
  Index least = got.first, most = got.first;  // the offsets that it reads
  for (int k = 0; k < got.shape.rank(); ++k) {
    const Index reach = (got.shape[k] - 1) * got.strides[k];
    (reach < 0 ? least : most) += reach;
  }
  if (least < 0 || most >= x.size()) {
    stop("reads offsets ", least, " to ", most, " of ", x.size(), " numbers");
  }
  const Tensor shown = copy_of(got);
  if (std::equal(shown.begin(), shown.end(), right.begin())) return;
  stop("shows\n", shown, "\nexpected\n", right);
}

}  // namespace

CHECK_ANSWER() {
  const Tensor x = counted({2, 3}), y = counted({2, 3, 5});
  const View v = view_of(x), w = view_of(y);
  see("permuted(x, {1, 0})", x, permuted(v, {1, 0}), tensor({{0, 3}, {1, 4}, {2, 5}}));
  Tensor right({5, 2, 3});
  for_each_element({5, 2, 3}, {1, 15, 5}, {1, 15, 5},
                   [&](Index i, Index at, Index) { right.mutable_data()[i] = Scalar(at); });
  see("permuted(y, {2, 0, 1})", y, permuted(w, {2, 0, 1}), right);
  see("permuted(y, {-1, 0, 1})", y, permuted(w, {-1, 0, 1}), right);
  // Views whose strides do not follow from their shape, or which begin at a later element.
  const auto all = [&](const View& of, const std::vector<int>& axes, const std::string& what) {
    Shape shape = of.shape;
    Strides strides = of.strides;
    for (int k = 0; k < shape.rank(); ++k) {
      shape = shape.with(k, of.shape[axes[k]]), strides[k] = of.strides[axes[k]];
    }
    see("permuted, of " + what, of.x, permuted(of, axes),
        copy_of({of.x, of.first, shape, strides}));
  };
  all({x, 1, {2, 2}, {3, 1}}, {1, 0}, "a slice");
  all({x, 0, {3, 2}, {1, 3}}, {1, 0}, "a transpose");
  all({x, 2, {2, 3}, {3, -1}}, {1, 0}, "a flip");
  all(view_of(counted({2, 3, 5, 7})), {3, 1, 0, 2}, "four axes");
  gradus::green("permuted: two to four axes, -1, and views of views");
  see("sliced(x, 1, 1, 3)", x, sliced(v, 1, 1, 3), tensor({{1, 2}, {4, 5}}));
  see("sliced(x, 0, 1, 2)", x, sliced(v, 0, 1, 2), tensor({{3, 4, 5}}));
  see("sliced(x, -1, 0, 1)", x, sliced(v, -1, 0, 1), tensor({{0}, {3}}));
  const View p = {x, 0, {3, 2}, {1, 3}};  // the transpose
  see("sliced, of a transpose", x, sliced(p, 0, 1, 3), tensor({{1, 4}, {2, 5}}));
  see("sliced, of a slice", x, sliced({x, 1, {2, 2}, {3, 1}}, 0, 1, 2), tensor({{4, 5}}));
  see("sliced, of a flip", x, sliced({x, 2, {2, 3}, {3, -1}}, 1, 1, 3), tensor({{1, 0}, {4, 3}}));
  gradus::green("sliced: each axis, -1, and views of views");
  see("flipped(x, 1)", x, flipped(v, 1), tensor({{2, 1, 0}, {5, 4, 3}}));
  see("flipped(x, 0)", x, flipped(v, 0), tensor({{3, 4, 5}, {0, 1, 2}}));
  see("flipped twice", x, flipped({x, 5, {2, 3}, {-3, -1}}, -1), tensor({{3, 4, 5}, {0, 1, 2}}));
  see("flipped, of a slice", x, flipped({x, 1, {2, 2}, {3, 1}}, 1), tensor({{2, 1}, {5, 4}}));
  see("flipped, of a transpose", x, flipped(p, 0), tensor({{2, 5}, {1, 4}, {0, 3}}));
  gradus::green("flipped: each axis, twice, and views of views");
}
