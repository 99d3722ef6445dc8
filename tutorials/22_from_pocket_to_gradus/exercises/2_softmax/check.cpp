#include <random>

#include "tutorials/22_from_pocket_to_gradus/checking.h"

using gradus::green, gradus::red;

namespace {

const Op kSoftmax = {[](const Tensors& x) { return fused_softmax(x[0]); },
                     [](const Tensors& x) { return softmax(x[0]); }, "x"};

void hold(const std::string& what, const Shape& shape, Scalar spread, bool hidden = false,
          Scalar mean = 0) {
  Tensor x = normal(shape, {.seed = 3}, mean, spread);
  const Index n = x.size(-1);
  for (Index i = 0; hidden && i < x.size(); ++i) {  // the first row, and some of the others
    if (i < n || (i % n > 0 && i % 3 == 0)) x.mutable_data()[i] = -INFINITY;
  }
  must_hold(what, kSoftmax, {x}, normal(shape, {.seed = 4}), 1e-5);
  if (n == 1 && fused_softmax(x).data()[0] != 1) {
    red(what, ": not exactly 1\nlikely cause: something is added to the sum, which is 1 at least");
  }
  green(what, ", and its gradient");
}

/// Where no gradient arrives, another of the row still moves the weight; and a sum of 0 may be one
/// of 1 and -1.
void must_pass_zeros() {
  const Tensors x = {tensor({4}, {1, 0, 2, -1})};
  must_hold("dy is 0 0 1 0", kSoftmax, x, tensor({4}, {0, 0, 1, 0}));
  must_hold("dy is 1 0 0 0", kSoftmax, x, tensor({4}, {1, 0, 0, 0}));
  must_hold("equal numbers, and dy is 1 -1 0 0", kSoftmax, {ones({4})}, tensor({4}, {1, -1, 0, 0}));
  green("dy with zeros");
}

/// Rows of many kinds, drawn at random.
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
    Tensor x = normal({n}, {.seed = 2 * round}, Scalar(below(2) * -1000), spread);
    for (Index i = 0; i < n; ++i) {
      const bool hidden[] = {false, i < some, i >= some, below(2) == 0, i != one, true};
      if (hidden[hiding]) x.mutable_data()[i] = -INFINITY;
    }
    Tensor dy = normal({n}, {.seed = 2 * round + 1});
    const Tensor p = softmax(x);
    for (Index i = 0; i < n; ++i) {
      const Scalar g = dy.data()[i], small = std::max(p.data()[i], Scalar(1e-12));
      const Scalar all[] = {g, i == one ? Scalar(1) : 0, Scalar(i % 2 == 0 ? 1 : -1),
                            i == 0 || i == n - 1 ? 0 : g, g / small};
      dy.mutable_data()[i] = all[arrives];
    }
    must_hold("a random row of " + std::to_string(n) + ", hidden: " + hidings[hiding] +
                  ", dy: " + arriving[arrives],
              kSoftmax, {x}, dy, 1e-4);
  }
  green("1000 rows of many kinds");
}

void must_take_one_array(const std::string& what, const Shape& shape) {
  const Tensor x = normal(shape, {.seed = 3}).set_requires_grad(), dy = normal(shape, {.seed = 4});
  const auto one = double(4 * x.size());
  const auto at_most_one = [&](const std::string& pass, const auto& f) {
    const std::size_t before = heap.taken;
    const Tensor kept = f();
    const double bytes = double(heap.taken - before);
    if (bytes <= one + 4096) return kept;
    red(what, ": ", pass, " took ", bytes / one, " arrays of the size of x, expected 1 at most");
  };
  const Tensor y = at_most_one("forward", [&] { return fused_softmax(x); });
  at_most_one("backward", [&] { return pass_back(what, y, dy), y; });
  green(what, ": one array forward, one backward");
}

/// Softmax is in the middle of a graph, and nothing else holds its x.
void must_keep_p_alone() {
  const Tensor leaf = normal({64, 64}, {.seed = 5}).set_requires_grad();
  Tensor x = leaf + normal({64}, {.seed = 6});
  const std::size_t before = heap.in_use, one = 4 * std::size_t(x.size());
  const Tensor y = fused_softmax(x);
  x = Tensor();
  if (heap.in_use > before + 4096) {
    red("from forward to backward it keeps ", double(heap.in_use + one - before) / double(one),
        " arrays of the size of x, expected 1\nlikely cause: the closure captures more than y, as "
        "[=] does with all that it names");
  }
  green("y alone is kept");
}

}  // namespace

CHECK_ANSWER() {
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
  const Tensors x = {normal({3, 5}, {.seed = 5})};
  must_stay_apart(kSoftmax, x, {normal({3, 5}, {.seed = 6})});
  must_stay_apart(kSoftmax, x, {normal({2, 3}, {.seed = 6})});
  must_outlive_inputs(kSoftmax, x);
  hold("one row of 40000", {40000}, 2);
  must_take_one_array("[16, 32, 32]", {16, 32, 32}), must_take_one_array("40000", {40000});
  must_obey_no_grad(kSoftmax, x);
  must_keep_p_alone();
}
