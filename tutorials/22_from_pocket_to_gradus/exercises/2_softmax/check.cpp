#include <random>
#include <sstream>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/checking.h"
#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

Tensor copy_of(const Tensor& x) { return tensor(x.shape(), {x.begin(), x.end()}); }

void hold(const std::string& what, const Shape& shape, Scalar spread, bool hidden = false,
          Scalar mean = 0) {
  Tensor x = normal(shape, {.seed = 3}, mean, spread);
  const Index n = x.size(-1);
  for (Index i = 0; hidden && i < x.size(); ++i) {  // the first row, and some of the others
    if (i < n || (i % n > 0 && i % 3 == 0)) x.mutable_data()[i] = -INFINITY;
  }
  const Tensor dy = normal(shape, {.seed = 4});
  Tensor mine = tensor(shape, {x.begin(), x.end()}).set_requires_grad();
  Tensor right = tensor(shape, {x.begin(), x.end()}).set_requires_grad();
  const Tensor expected = softmax(right);
  backward(expected, dy);

  const Index nodes = nodes_made;
  const std::size_t before = heap.taken;
  const Tensor y = gradus::unchanged<Tensor>(what, {mine}, [&] { return fused_softmax(mine); });
  const std::size_t forward = heap.taken - before - 4 * std::size_t(x.size());  // unchanged()
  if (!y.defined()) red(what + ": got nothing");
  gradus::must_be_finite(what, y,
                         hidden ? "a row of -inf alone: keep its largest at -1e30 or more, and do "
                                  "not divide by 0"
                                : "exponentials of large numbers: subtract the largest first");
  if (!gradus::is_close(as_library(y), as_library(expected.detach()), 1e-5)) {
    gradus::expect(what, as_library(y), as_library(expected.detach()), "", 1e-5);
  }
  for (const Scalar one : y) {
    if (n != 1 || one == 1) continue;
    red(what + ": not exactly 1\nlikely cause: something is added to the sum, which is 1 at least");
  }
  if (!y.requires_grad()) red(what + ": the result has no node\nlikely cause: no record()");
  if (nodes_made - nodes != 1) {
    red(what + ": " + std::to_string(nodes_made - nodes) + " nodes were recorded, expected 1");
  }
  const std::vector<Scalar> kept(y.begin(), y.end());
  const std::size_t half_way = heap.taken;
  const Tensor arrives = dy.detach();  // shares its numbers
  pass_back(what, y, arrives);
  const std::size_t back = heap.taken - half_way;
  if (!is_same(arrives, normal(shape, {.seed = 4}))) {
    red(what +
        ": backward has changed dy, which other ops read, too\nlikely cause: dx is written "
        "where dy is: dy.detach() shares its numbers; make a new array");
  }
  if (!std::equal(kept.begin(), kept.end(), y.begin())) {
    red(what + ": backward has changed y\nlikely cause: dx is written where y is");
  }
  if (!mine.grad().defined()) red(what + ": no gradient arrived");
  gradus::expect(what + ", and its gradient", as_library(mine.grad()), as_library(right.grad()), "",
                 1e-5);
  if (x.size() < 10000) return;
  const std::size_t one = 4 * std::size_t(x.size()), small = 4096;
  const auto arrays = [&](const char* pass, std::size_t bytes) {
    if (bytes <= one + small) return;
    red(what + ": " + pass + " took " + std::to_string(double(bytes) / double(one)) +
        " arrays of the size of x, expected 1 at most");
  };
  arrays("forward", forward), arrays("backward", back);
  green("one array forward, one backward");
}

/// Two of them are in one graph, of one shape or not.
void must_stay_apart(const Shape& of_other) {
  const Tensor dy = normal({3, 5}, {.seed = 4});
  Tensor x = normal({3, 5}, {.seed = 5}), other = normal(of_other, {.seed = 6});
  Tensor right = copy_of(x).set_requires_grad();
  backward(softmax(right), dy);
  x.set_requires_grad(), other.set_requires_grad();
  const Tensor first = fused_softmax(x), second = fused_softmax(other);
  pass_back("the first of two", first, dy);
  if (!gradus::is_close(as_library(x.grad()), as_library(right.grad()), 1e-5)) {
    red("two softmaxes before the first backward: the first's gradient is wrong\nlikely cause: "
        "they share what is saved, a static or a global variable; the closure is to have its own");
  }
  const Tensor arrived = copy_of(x.grad());
  pass_back("the second of two", second, normal(of_other, {.seed = 7}));
  if (!is_same(arrived, x.grad())) {
    red("the second backward has changed the gradient of the first\nlikely cause: dx is the array "
        "of an earlier gradient, a static or a global tensor; make a new one in each pass");
  }
  green("two of them in one graph");
}

/// Where no gradient arrives, another of the row still moves the weight; and a sum of 0 may be one
/// of 1 and -1.
void must_pass_zeros() {
  const auto hold = [](const std::string& what, const std::vector<Scalar>& row,
                       const std::vector<Scalar>& dy) {
    Tensor x = tensor({4}, row).set_requires_grad(), right = tensor({4}, row).set_requires_grad();
    backward(softmax(right), tensor({4}, dy));
    pass_back(what, fused_softmax(x), tensor({4}, dy));
    gradus::expect(what + ": the gradient", as_library(x.grad()), as_library(right.grad()), "",
                   1e-5);
  };
  hold("dy is 0 0 1 0", {1, 0, 2, -1}, {0, 0, 1, 0});
  hold("dy is 1 0 0 0", {1, 0, 2, -1}, {1, 0, 0, 0});
  hold("equal numbers, and dy is 1 -1 0 0", {2, 2, 2, 2}, {1, -1, 0, 0});
  green("dy with zeros");
}

std::string written(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

/// Rows of many kinds, drawn at random, against the formulas in double.
void must_hold_at_random() {
  const std::vector<std::string> hidings = {"none",   "its first",   "its last",
                                            "a half", "all but one", "all"};
  const std::vector<std::string> arriving = {"any", "0 but for one", "1 and -1 by turns",
                                             "first and last 0", "largest where p is smallest"};
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return Index(random() % n); };
  for (std::uint64_t round = 0; round < 1000; ++round) {
    const Index n = std::vector<Index>{1, 2, 3, 5, 8, 33, 100, 300}[below(8)];
    const Scalar spread = std::vector<Scalar>{0.1f, 1, 10, 1000}[below(4)];
    const Index hiding = below(6), arrives = below(5), some = 1 + below(n), one = below(n);
    Tensor x = normal({n}, {.seed = 2 * round}, Scalar(below(2) * -1000), spread), dy(x.shape());
    Scalar* number = x.mutable_data();
    for (Index i = 0; i < n; ++i) {
      const bool hidden[] = {false, i < some, i >= some, below(2) == 0, i != one, true};
      if (hidden[hiding]) number[i] = -INFINITY;
    }
    const double largest = std::max(double{*std::max_element(x.begin(), x.end())}, -1e30);
    std::vector<double> p;
    double total = 0, mixed = 0, size = 1e-30;
    for (const Scalar each : x) p.push_back(std::exp(double{each} - largest)), total += p.back();
    for (double& each : p) each /= std::max(total, 1.0);
    const Tensor drawn = normal({n}, {.seed = 2 * round + 1});
    for (Index i = 0; i < n; ++i) {
      const double g = drawn.data()[i];
      const double all[] = {g, i == one ? 1.0 : 0, i % 2 == 0 ? 1.0 : -1.0,
                            i == 0 || i == n - 1 ? 0 : g, g / std::max(p[i], 1e-12)};
      dy.mutable_data()[i] = Scalar(all[arrives]);
      const double share = p[i] * double{dy.data()[i]};
      mixed += share, size += std::abs(share);
    }
    const std::string what = "a random row of " + std::to_string(n) +
                             ", hidden: " + hidings[hiding] + ", dy: " + arriving[arrives] + ": ";
    const auto must_be = [&](const std::string& name, Scalar got, double right, double near) {
      if (gradus::is_near(got, Scalar(right), near)) return;
      red(what + name + ": got " + written(got) + ", expected " + written(right));
    };
    x.set_requires_grad();
    const Tensor y = fused_softmax(x);
    for (Index i = 0; i < n; ++i) must_be("p", y.data()[i], p[i], 1e-5);
    if (!y.requires_grad()) continue;  // hold() says so
    pass_back(what, y, dy);
    for (Index i = 0; x.grad().defined() && i < n; ++i) {
      must_be("dx", x.grad().data()[i], p[i] * (double{dy.data()[i]} - mixed), 1e-4 * size);
    }
  }
  green("1000 rows of many kinds");
}

/// Softmax is in the middle of a graph, and before backward all arrays are gone that nothing keeps.
void must_outlive_arrays() {
  const std::string what = "softmax(3 x) + b, of which only the sum is left";
  const Tensor b = normal({8}, {.seed = 6}), dy = normal({4, 8}, {.seed = 7});
  Tensor x = normal({4, 8}, {.seed = 5}).set_requires_grad(), right = copy_of(x);
  backward(softmax(right.set_requires_grad() * Scalar(3)) + b, dy);
  heap.buries = true;
  const Tensor sum = fused_softmax(x * Scalar(3)) + b;
  pass_back(what, sum, dy);
  heap.buries = false;
  if (!x.grad().defined()) {
    red(what +
        ": no gradient arrived at x\nlikely cause: in the middle of a graph, x is no leaf; the "
        "closure returns dx, and backward() hands it on and adds it where it belongs");
  }
  if (!gradus::is_close(as_library(x.grad()), as_library(right.grad()), 1e-5)) {
    red(what +
        ": the gradient is wrong\nlikely cause: the closure keeps a pointer, and the array is "
        "gone: capture y.detach()");
  }
  green(what);
}

/// Where nothing is to be recorded, the result is the same, without a node.
void must_obey_no_grad() {
  const Tensor x = normal({3, 5}, {.seed = 5}).set_requires_grad();
  const auto must_record_nothing = [](const std::string& when, const Tensor& of) {
    const Tensor right = softmax(of.detach());
    const Index nodes = nodes_made;
    const Tensor y = gradus::unchanged<Tensor>(when + ", so nothing is recorded", {of},
                                               [&] { return fused_softmax(of); });
    if (nodes_made != nodes || y.requires_grad()) {
      red(when +
          ": a node is recorded\nlikely cause: it is made by hand; record() asks whether one is "
          "wanted");
    }
    if (!gradus::is_close(as_library(y), as_library(right), 1e-5)) red(when + ": y is wrong");
  };
  must_record_nothing("x needs no gradient", x.detach());
  {
    const NoGrad no_grad;
    must_record_nothing("under NoGrad", x);
    if (pocket::recording) red("under NoGrad: ops are recorded again after it");
  }
  if (!pocket::recording) red("ops are recorded no more after it");
  green("nothing is recorded that is not asked for");
}

/// Softmax is in the middle of a graph, and nothing else holds its x.
void must_keep_p_alone() {
  const Tensor leaf = normal({64, 64}, {.seed = 5}).set_requires_grad();
  Tensor x = leaf + normal({64}, {.seed = 6});
  const std::size_t before = heap.in_use, one = 4 * std::size_t(x.size());
  const Tensor y = fused_softmax(x);
  x = Tensor();
  if (heap.in_use > before + 4096) {
    red("from forward to backward it keeps " +
        std::to_string(double(heap.in_use + one - before) / double(one)) +
        " arrays of the size of x, expected 1\nlikely cause: the closure captures more than y, as "
        "[=] does with all that it names");
  }
  green("y alone is kept");
}

}  // namespace

Scalar pocket::exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = std::exp(from[i] - largest);
  return std::accumulate(to, to + n, Scalar(0));
}
Scalar pocket::row_dot(const Scalar* x, const Scalar* y, Index n) {
  return std::inner_product(x, x + n, y, Scalar(0));
}

int main() {
  return gradus::run_check([] {
    hold("one row of 5", {5}, 1);
    hold("numbers of some ten thousand", {3, 6}, 1e4);
    hold("[2, 3, 7]", {2, 3, 7}, 1);
    hold("[2, 3, 2, 5]", {2, 3, 2, 5}, 1);
    hold("numbers around -100000", {3, 6}, 1, false, Scalar(-1e5));
    hold("numbers around -1e9", {3, 6}, 100, false, Scalar(-1e9));
    hold("numbers of -1e20", {3, 6}, 1, false, Scalar(-1e20));
    hold("rows of one number", {4, 1}, 1);
    must_pass_zeros();
    must_hold_at_random();
    hold("a row of -inf, and some in others", {4, 7}, 1, true);
    must_stay_apart({3, 5}), must_stay_apart({2, 3});
    hold("[16, 32, 32]", {16, 32, 32}, 2);
    hold("2 rows of 1000", {2, 1000}, 2);
    hold("one row of 40000", {40000}, 2);
    must_outlive_arrays();
    must_obey_no_grad();
    must_keep_p_alone();
  });
}
