#include "pocket/ops.h"
#include "tutorials/common/guards.h"

using pocket::Index, pocket::Scalar, pocket::Shape, pocket::Strides, pocket::Tensor;

namespace {

/// The task: the smaller side has `shape` and strides into the larger one, of `size` elements.
struct Case {
  std::string name;
  Shape whole, shape;
  Strides strides;
  Index first;
};

/// Where element i of `shape` is by strides, by division: nothing of the answer is shared.
Index place(const Shape& shape, const Strides& strides, Index i) {
  Index at = 0;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    at += i % shape[axis] * strides[static_cast<std::size_t>(axis)];
    i /= shape[axis];
  }
  return at;
}

Tensor numbers(const Shape& shape, Scalar scale) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = scale * static_cast<Scalar>(1 + i * 5 % 13);
  return x;
}

/// The result for x's elements: added at the places of the strides, or read from there.
Tensor moved(const Case& one, const Tensor& x, const Shape& result, bool into) {
  Tensor y(result);
  const Shape& counted = into ? x.shape() : result;
  for (Index i = 0; i < counted.size(); ++i) {
    const Index at = one.first + place(counted, one.strides, i);
    y.mutable_data()[into ? at : i] += x.data()[into ? i : at];
  }
  return y;
}

/// Compares y, or the gradient, with the right one. If it is wrong, shows x, strides and `first`.
void same(const std::string& what, const Case& one, const Tensor& x, const Tensor& got, bool into,
          bool is_gradient) {
  const Shape& result = into ? one.whole : one.shape;
  const Tensor right = moved(one, x, result, into);
  std::string strides;
  for (const Index stride : one.strides) strides += gradus::detail::text(" ", stride);
  gradus::must_be_close(gradus::detail::text(what, is_gradient ? "\ndy\n" : "\nx\n",
                                             gradus::as_library(x), "\nshape ", result, ", strides",
                                             strides, ", first ", one.first, into ? ", into" : ""),
                        gradus::as_library(got), gradus::as_library(right), "",
                        1e-5 * gradus::scale_of(right));
}

void try_out(const Case& one, bool into, Scalar scale) {
  const std::string name =
      one.name + (into ? ", adding into" : ", reading") + (scale > 1 ? " (large)" : "");
  Tensor x = numbers(into ? one.shape : one.whole, scale);
  x.set_requires_grad();
  const auto call = [&] {
    return pocket::strided("check", x, into ? one.whole : one.shape, one.strides, one.first, into);
  };
  const Tensor y = gradus::unchanged<Tensor>(name, {x}, call);
  same(name, one, x, y, into, false);
  if (!y.requires_grad()) {
    gradus::red(name, ": the result has no graph\nlikely cause: it was not recorded");
  }
  if (std::string(y.node()->op) != "check") {
    gradus::red(name, ": the node's op is ", y.node()->op, ", expected check\n",
                "likely cause: `op` is the name to record");
  }
  const Tensor dy = numbers(y.shape(), scale * Scalar(0.5));
  backward(y, dy);
  if (!x.grad().defined()) gradus::red(name, ": no gradient arrived");
  same(name + ": the gradient", one, dy, x.grad(), !into, true);
}

}  // namespace

CHECK_ANSWER() {
  const std::vector<Case> cases = {
      {"[2, 3] as it is", {2, 3}, {2, 3}, {3, 1}, 0},
      {"[3, 3] transposed", {3, 3}, {3, 3}, {1, 3}, 0},
      {"the axes of [3, 3, 3] rotated", {3, 3, 3}, {3, 3, 3}, {1, 9, 3}, 0},  // within x and y
      {"three numbers of [2, 2], three times each", {2, 2}, {3, 3}, {1, 0}, 1},
      {"[2, 3] transposed", {2, 3}, {3, 2}, {1, 3}, 0},
      {"a row for all rows", {3}, {2, 3}, {0, 1}, 0},
      {"a column for all columns", {3, 1}, {3, 5}, {1, 0}, 0},
      {"two columns of [3, 4]", {3, 4}, {3, 2}, {4, 1}, 1},
      {"the axes of [2, 3, 5] rotated", {2, 3, 5}, {5, 2, 3}, {1, 15, 5}, 0},
      {"the axes of [2, 3, 5, 7] rotated", {2, 3, 5, 7}, {7, 2, 3, 5}, {1, 105, 35, 7}, 0},
      {"every second of [7], from 1", {7}, {3}, {2}, 1},
      {"one number for all", {}, {2, 3}, {0, 0}, 0},
  };
  for (const Case& one : cases) {
    for (const Scalar scale : {Scalar(1), Scalar(1e4)}) {
      for (const bool into : {false, true}) try_out(one, into, scale);
    }
    gradus::green(one.name);
  }
  const Tensor x = numbers({2, 3, 5}, 1).set_requires_grad();
  backward(pocket::sum_to(x, {3, 1}), numbers({3, 1}, 1));
  const Tensor right =
      elementwise("check", pocket::zeros({2, 3, 5}), numbers({3, 1}, 1), std::plus<Scalar>());
  gradus::expect("sum_to [2, 3, 5] to [3, 1]: the gradient", gradus::as_library(x.grad()),
                 gradus::as_library(right));
}
