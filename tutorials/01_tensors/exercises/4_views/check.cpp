#include "tutorials/common/check.h"

#include "tutorials/01_tensors/exercises.h"

namespace {

Tensor counted(const Shape& shape) {
  std::vector<Scalar> values(shape.size());
  std::iota(values.begin(), values.end(), Scalar(0));
  return tensor(shape, values);
}

struct Guess {
  View view;
  std::string message;
};

/// Compares what a view shows with {shape, numbers}; guesses are views that a mistake gives.
void see(const std::string& what, const Tensor& x, const View& got, const Tensor& right,
         const std::vector<Guess>& guesses) {
  if (got.x.data() != x.data()) {
    gradus::red(what +
                ": the numbers are not x's own\nlikely cause: something was copied; only first, "
                "shape and strides change");
  }
  const auto same = [](const View& a, const View& b) {
    return a.first == b.first && a.shape == b.shape && a.strides == b.strides;
  };
  const auto likely = [&]() -> std::string {
    for (const Guess& guess : guesses) {
      if (same(guess.view, got)) return "\nlikely cause: " + guess.message;
    }
    return "";
  };
  const auto stop = [&](const std::string& message) {
    gradus::red(what + ": " + message + likely());
  };
  std::ostringstream shapes;
  shapes << "shape: got " << got.shape << ", expected " << right.shape();
  if (got.shape != right.shape()) stop(shapes.str());
  if (std::ssize(got.strides) != right.rank()) stop("there is one stride for each axis");
  Index least = got.first, most = got.first;  // the offsets that it reads
  for (int k = 0; k < got.shape.rank(); ++k) {
    const Index reach = (got.shape[k] - 1) * got.strides[k];
    (reach < 0 ? least : most) += reach;
  }
  if (least < 0 || most >= x.size()) {
    stop("reads offsets " + std::to_string(least) + " to " + std::to_string(most) + " of " +
         std::to_string(x.size()) + " numbers");
  }
  const Tensor shown = copy_of(got);
  if (!std::equal(shown.begin(), shown.end(), right.begin())) {
    std::ostringstream both;
    both << "got\n" << shown << "\nexpected\n" << right;
    stop(both.str());
  }
}

View with(View v, Index first, const Shape& shape, const Strides& strides) {
  return {v.x, first, shape, strides};
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const Tensor x = counted({2, 3}), y = counted({2, 3, 5});
    const View v = view_of(x), w = view_of(y);
    const std::vector<Guess> shape_only = {
        {with(v, 0, {3, 2}, {3, 1}), "shape and strides change places alike; the strides did not"},
        {with(v, 0, {2, 3}, {1, 3}), "shape and strides change places alike; the shape did not"}};
    see("permuted(x, {1, 0})", x, permuted(v, {1, 0}), tensor({{0, 3}, {1, 4}, {2, 5}}),
        shape_only);
    Tensor right({5, 2, 3});
    for_each_element({5, 2, 3}, {1, 15, 5}, {1, 15, 5},
                     [&](Index i, Index at, Index) { right.mutable_data()[i] = Scalar(at); });
    see("permuted(y, {2, 0, 1})", y, permuted(w, {2, 0, 1}), right,
        {{with(w, 0, {3, 5, 2}, {5, 1, 15}),
          "axis k of the result is axis axes[k] of v, not the other way round"}});
    see("permuted(y, {-1, 0, 1})", y, permuted(w, {-1, 0, 1}), right, {});
    // Views whose strides are not those of their shape, or which begin further on.
    const std::string own = "axis k takes stride axes[k] of v, which is not strides_of(v.shape)";
    const auto all = [&](const View& of, const std::vector<int>& axes, const std::string& cause) {
      Shape shape = of.shape;
      Strides strides = of.strides, dense = strides;
      for (int k = 0; k < shape.rank(); ++k) {
        shape = shape.with(k, of.shape[axes[k]]);
        strides[k] = of.strides[axes[k]], dense[k] = strides_of(of.shape)[axes[k]];
      }
      const View right = {of.x, of.first, shape, strides};
      see("permuted, of " + cause, of.x, permuted(of, axes), copy_of(right),
          {{with(of, of.first, shape, dense), own},
           {with(of, 0, shape, strides), "v begins at v.first, and so does its permutation"},
           {with(of, 0, shape, dense), "v has a first and strides of its own: keep v.first"}});
    };
    all({x, 1, {2, 2}, {3, 1}}, {1, 0}, "a slice");
    all({x, 0, {3, 2}, {1, 3}}, {1, 0}, "a transpose");
    all({x, 2, {2, 3}, {3, -1}}, {1, 0}, "a flip");
    all(view_of(counted({2, 3, 5, 7})), {3, 1, 0, 2}, "four axes");
    gradus::green("permuted: two to four axes, -1, and views of views");
    see("sliced(x, 1, 1, 3)", x, sliced(v, 1, 1, 3), tensor({{1, 2}, {4, 5}}),
        {{with(v, 0, {2, 2}, {3, 1}), "first moves to the element `begin` of the axis"},
         {with(v, 1, {2, 3}, {3, 1}), "the size of the axis is end - begin"},
         {with(v, 1, {2, 2}, {2, 1}),
          "neighbours are as far apart as before: strides are those of v"}});
    see("sliced(x, 0, 1, 2)", x, sliced(v, 0, 1, 2), tensor({{3, 4, 5}}),
        {{with(v, 1, {1, 3}, {3, 1}), "first moves by begin times the stride of the axis"}});
    see("sliced(x, -1, 0, 1)", x, sliced(v, -1, 0, 1), tensor({{0}, {3}}), {});
    const View p = {x, 0, {3, 2}, {1, 3}};  // the transpose
    see("sliced, of a transpose", x, sliced(p, 0, 1, 3), tensor({{1, 4}, {2, 5}}),
        {{with(p, 2, {2, 2}, {1, 3}),
          "v is not dense: take the strides that it has, not strides_of(v.shape)"}});
    see("sliced, of a slice", x, sliced({x, 1, {2, 2}, {3, 1}}, 0, 1, 2), tensor({{4, 5}}),
        {{{x, 3, {1, 2}, {3, 1}}, "v begins at v.first, which stays in the sum"}});
    const View f = {x, 2, {2, 3}, {3, -1}};  // a flip
    see("sliced, of a flip", x, sliced(f, 1, 1, 3), tensor({{1, 0}, {4, 3}}),
        {{with(f, 3, {2, 2}, {3, -1}), "where the stride is negative, first moves back"}});
    gradus::green("sliced: each axis, -1, and views of views");
    see("flipped(x, 1)", x, flipped(v, 1), tensor({{2, 1, 0}, {5, 4, 3}}),
        {{with(v, 0, {2, 3}, {3, -1}), "first moves to the last element of the axis"},
         {with(v, 3, {2, 3}, {3, -1}), "the last index is the size less 1"}});
    see("flipped(x, 0)", x, flipped(v, 0), tensor({{3, 4, 5}, {0, 1, 2}}),
        {{with(v, 1, {2, 3}, {-3, 1}), "first moves by an index times the stride"}});
    see("flipped twice", x, flipped({x, 5, {2, 3}, {3 * -1, -1}}, -1),
        tensor({{3, 4, 5}, {0, 1, 2}}),
        {{{x, 7, {2, 3}, {-3, 1}}, "where the stride is negative, first moves back"}});
    see("flipped, of a slice", x, flipped({x, 1, {2, 2}, {3, 1}}, 1), tensor({{2, 1}, {5, 4}}),
        {{{x, 3, {2, 2}, {3, -1}}, "the axis has v.shape's size, which is not x's"}});
    see("flipped, of a transpose", x, flipped(p, 0), tensor({{2, 5}, {1, 4}, {0, 3}}),
        {{with(p, 6, {3, 2}, {-3, 3}), "v has strides of its own, not those of x"},
         {with(p, 4, {3, 2}, {-2, 3}), "v has strides of its own, not strides_of(v.shape)"}});
    gradus::green("flipped: each axis, twice, and views of views");
  });
}
