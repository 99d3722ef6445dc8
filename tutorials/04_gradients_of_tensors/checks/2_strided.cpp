#include "pocket/ops.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

using pocket::Index;
using pocket::Scalar;
using pocket::Shape;
using pocket::Strides;
using pocket::Tensor;

namespace {

/// What is asked: the smaller side has `shape` and strides into the larger one, of `size` elements.
struct Case {
  std::string name;
  Shape whole, shape;
  Strides strides;
  Index first;
};

/// Where element i of a shape is by strides, by division: nothing of the answer is shared.
Index place(const Case& one, Index i) {
  Index at = one.first;
  for (int axis = one.shape.rank() - 1; axis >= 0; --axis) {
    at += i % one.shape[axis] * one.strides[static_cast<std::size_t>(axis)];
    i /= one.shape[axis];
  }
  return at;
}

Tensor numbers(const Shape& shape, Scalar scale) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = scale * static_cast<Scalar>(1 + i * 5 % 13);
  return x;
}

Tensor read(const Case& one, const Tensor& x, bool from_start = false) {
  Tensor y(one.shape);
  for (Index i = 0; i < y.size(); ++i) {
    y.mutable_data()[i] = x.data()[place(one, i) - (from_start ? one.first : 0)];
  }
  return y;
}

Tensor added(const Case& one, const Tensor& x, bool adding = true) {
  Tensor y(one.whole);
  for (Index i = 0; i < x.size(); ++i) {
    Scalar& to = y.mutable_data()[place(one, i)];
    to = (adding ? to : 0) + x.data()[i];
  }
  return y;
}

using Causes = std::vector<std::pair<Tensor, std::string>>;

void same(const std::string& what, const Tensor& got, const Tensor& right, const Causes& usual) {
  std::vector<gradus::Cause> causes;
  for (const auto& [value, said] : usual) causes.push_back({gradus::as_library(value), said});
  double most = 1;
  for (const Scalar v : right) most = std::max(most, std::abs(double{v}));
  const gradus::Tensor mine = gradus::as_library(got), ours = gradus::as_library(right);
  if (gradus::is_close(mine, ours, 1e-5 * most)) return;
  gradus::expect(what, mine, ours, causes, 1e-5 * most);
}

void try_out(const Case& one, bool into, Scalar scale) {
  const std::string name =
      one.name + (into ? ", adding into " : ", reading ") + (scale > 1 ? "(large)" : "");
  Tensor x = numbers(into ? one.shape : one.whole, scale);
  x.set_requires_grad();
  const auto call = [&] {
    return pocket::strided("check", x, into ? one.whole : one.shape, one.strides, one.first, into);
  };
  const Tensor y = gradus::unchanged<Tensor>(name, {x}, call);
  same(name, y, into ? added(one, x) : read(one, x),
       into ? Causes{{added(one, x, false), "elements that meet must be added: += in place of ="}}
            : Causes{{read(one, x, true), "`first` is where reading begins"}});
  if (!y.requires_grad()) {
    gradus::red(name + ": the result has no graph\nlikely cause: it was not recorded");
  }
  if (std::string(y.node()->op) != "check") {
    gradus::red(name + ": the node's op is " + y.node()->op + ", expected check\n" +
                "likely cause: `op` is the name to record");
  }
  const Tensor dy = numbers(y.shape(), scale * Scalar(0.5));
  backward(y, dy);
  if (!x.grad().defined()) gradus::red(name + ": no gradient arrived");
  same(name + ": the gradient", x.grad(), into ? read(one, dy) : added(one, dy),
       into ? Causes{{read(one, dy, true), "the gradient, too, begins at `first`"}}
            : Causes{
                  {added(one, dy, false), "elements that were read twice collect both gradients"}});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const std::vector<Case> cases = {
        {"[2, 3] transposed", {2, 3}, {3, 2}, {1, 3}, 0},
        {"[2, 3] as it is", {2, 3}, {2, 3}, {3, 1}, 0},
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
    same("sum_to [2, 3, 5] to [3, 1]: the gradient", x.grad(),
         elementwise("check", pocket::zeros({2, 3, 5}), numbers({3, 1}, 1), std::plus<Scalar>()),
         {});
    gradus::green("sum_to [2, 3, 5] to [3, 1]");
  });
}
