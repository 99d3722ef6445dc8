#include "tutorials/common/check.h"

#include "pocket/ops.h"
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

/// How an answer moves x's elements to y, and the mistakes in it.
struct Way {
  bool into;                 ///< whether elements are added where the strides lead, or read there
  bool exchanged = false;    ///< i and `at` have changed places
  bool other_count = false;  ///< the elements of the other tensor are counted
  bool first_of_i = false;   ///< `first` is added to i, too
  bool first_of_at = true;   ///< `first` is added to `at`
  bool assigned = false;     ///< = in place of +=
  bool mean = false;         ///< the mean of the elements that meet, in place of their sum
};

/// What this way gives: NaN stands for what is read past the end, which may be any number. Returns
/// nothing if the strides do not fit the shape.
Tensor moved(const Case& one, const Tensor& x, const Shape& result, const Way& way) {
  Tensor y(result);
  const Shape& counted = way.into != way.other_count ? x.shape() : result;
  if (counted.rank() != std::ssize(one.strides)) return Tensor();
  std::vector<Scalar> arrived(static_cast<std::size_t>(y.size()));
  for (Index i = 0; i < counted.size(); ++i) {
    const Index at = place(counted, one.strides, i) + (way.first_of_at ? one.first : 0);
    const Index own = i + (way.first_of_i ? one.first : 0);
    const bool writes_at = way.into != way.exchanged;
    const Index from = writes_at ? own : at, to = writes_at ? at : own;
    if (to >= y.size()) continue;
    const Scalar read = from < x.size() ? x.data()[from] : Scalar(NAN);
    Scalar& there = y.mutable_data()[to];
    there = (way.into && !way.assigned ? there : 0) + read;
    ++arrived[static_cast<std::size_t>(to)];
  }
  for (Index i = 0; way.mean && i < y.size(); ++i) {
    y.mutable_data()[i] /= std::max<Scalar>(1, arrived[static_cast<std::size_t>(i)]);
  }
  return y;
}

/// Whether the candidate explains what was got.
bool explains(const Tensor& candidate, const Tensor& got, double tolerance) {
  if (!candidate.defined() || candidate.shape() != got.shape()) return false;
  for (Index i = 0; i < got.size(); ++i) {
    const Scalar wanted = candidate.data()[i];
    if (!std::isnan(wanted) && !gradus::is_near(got.data()[i], wanted, tolerance)) return false;
  }
  return true;
}

/// Compares y, or the gradient, with the right one. If it is wrong, shows x, strides and `first`.
void same(const std::string& what, const Case& one, const Tensor& x, const Tensor& got, bool into,
          bool is_gradient) {
  const Shape& result = into ? one.whole : one.shape;
  const Tensor right = moved(one, x, result, {.into = into});
  const double most = gradus::scale_of(right);
  const gradus::Tensor mine = gradus::as_library(got), ours = gradus::as_library(right);
  if (gradus::is_close(mine, ours, 1e-5 * most)) return;
  const std::string first = is_gradient ? "the gradient, too, begins at `first`"
                            : into      ? "`first` is where adding begins, too"
                                        : "`first` is where reading begins";
  const std::string meet = is_gradient ? "elements that were read twice collect both gradients"
                                       : "elements that meet must be added: += in place of =";
  const std::string places =
      "i and `at` have changed places: reading is y[i] = x[at], adding is y[at] += x[i]";
  const std::pair<Way, std::string> usual[] = {
      {{.into = into, .first_of_at = false}, first},
      {{.into = into, .assigned = true}, meet},
      {{.into = into, .mean = true}, "elements that meet are added; this is their mean"},
      {{.into = into, .first_of_i = true},
       "`first` is on both sides; it belongs to the side that the strides follow"},
      {{.into = into, .first_of_i = true, .first_of_at = false},
       "`first` is on the wrong side: it belongs to the side that the strides follow"},
      {{.into = into, .exchanged = true}, places},
      {{.into = into, .exchanged = true, .assigned = true}, places},
      {{.into = into, .exchanged = true, .first_of_i = true, .first_of_at = false}, places},
      {{.into = !into},
       is_gradient ? "the way back goes the same way: it is the other direction"
                   : "the two directions have changed places"},
      {{.into = !into, .other_count = true},
       is_gradient ? "the way back goes the same way: it is the other direction"
                   : "the two directions have changed places"},
      {{.into = into, .other_count = true},
       "the wrong tensor is counted: with `into` count x's elements, without it y's"}};
  std::vector<gradus::Cause> causes;
  if (is_gradient && x.size() == right.size()) {
    causes.push_back({gradus::as_library(Tensor(x, right.shape())),
                      "dy is handed on in its own order: move its elements by the strides"});
  }
  for (const auto& [way, said] : usual) {
    if (explains(moved(one, x, result, way), got, 1e-5 * most)) causes.push_back({mine, said});
  }
  std::ostringstream shown;
  shown << what << (is_gradient ? "\ndy\n" : "\nx\n") << gradus::as_library(x) << "\nshape "
        << result << ", strides";
  for (const Index stride : one.strides) shown << " " << stride;
  shown << ", first " << one.first << (into ? ", into" : "");
  gradus::expect(shown.str(), mine, ours, causes, 1e-5 * most);
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
    gradus::red(name + ": the result has no graph\nlikely cause: it was not recorded");
  }
  if (std::string(y.node()->op) != "check") {
    gradus::red(name + ": the node's op is " + y.node()->op + ", expected check\n" +
                "likely cause: `op` is the name to record");
  }
  const Tensor dy = numbers(y.shape(), scale * Scalar(0.5));
  backward(y, dy);
  if (!x.grad().defined()) gradus::red(name + ": no gradient arrived");
  same(name + ": the gradient", one, dy, x.grad(), !into, true);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const std::vector<Case> cases = {
        {"[2, 3] as it is", {2, 3}, {2, 3}, {3, 1}, 0},
        {"[3, 3] transposed", {3, 3}, {3, 3}, {1, 3}, 0},
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
  });
}
