#include <dlfcn.h>

#include <random>

#include "tutorials/22_from_pocket_to_gradus/checking.h"

using gradus::green, gradus::red;

namespace {

double millions = 0;           // of operations in matrix products
Index narrowest = 1e6;         // the middle one of a product's three sizes, the smallest so far
std::size_t whole = SIZE_MAX;  // bytes of an array with a row for each key
int wholes = 0;                // how often one was made since the product before

const Op kAttention = {[](const Tensors& x) { return attention_by_blocks(x[0], x[1], x[2]); },
                       [](const Tensors& x) {
                         return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true});
                       },
                       "qkv"};

Tensors drawn(Index h, Index t, Index d, Index e, Scalar scale = 1, std::uint64_t seed = 1) {
  return {normal({h, t, d}, {.seed = seed}, 0, scale),
          normal({h, t, d}, {.seed = seed + 1}, 0, scale), normal({h, t, e}, {.seed = seed + 2})};
}

void hold(const std::string& what, Index h, Index t, Index d, Index e, Scalar scale = 1) {
  const Tensor dy = normal({h, t, e}, {.seed = 4});
  must_hold(what, kAttention, drawn(h, t, d, e, scale), dy, scale > 1 ? 3e-4 : 2e-5);
  green(what, ", and its gradients");
}

/// One of three may be all that needs a gradient.
void must_record_what_is_asked() {
  const Tensor dy = normal({2, 70, 3}, {.seed = 4});
  for (int i = 0; i < 3; ++i) {
    Tensors x = drawn(2, 70, 4, 3), right = drawn(2, 70, 4, 3);
    x[i].set_requires_grad(), right[i].set_requires_grad();
    const std::string what = std::string(1, "qkv"[i]) + " alone needs a gradient";
    const Tensor y = kAttention.mine(x);
    if (!y.requires_grad()) {
      red(what,
          ": the result has no node\nlikely cause: that is asked of one input, but record() "
          "asks all");
    }
    backward(kAttention.right(right), dy);
    pass_back(what, y, dy);
    must_be_near(what, x[i].grad(), right[i].grad(), "gradients are in the order of the inputs");
  }
  green("it records for any of the three");
}

/// Sizes and arriving gradients, drawn at random: a block, or all, may get a dy whose sum is 0.
void must_hold_at_random() {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return Index(random() % n); };
  const std::vector<std::string> arriving = {"1 and -1 by turns", "0 in its first channel",
                                             "0 in every other query", "0 but for one query",
                                             "any"};
  for (std::uint64_t round = 0; round < 15; ++round) {
    const Index h = 1 + below(3), d = 1 + below(6), e = 2 * (1 + below(4));
    const Index t = round < 5 ? 256 + below(60) : 1 + below(200), one = below(t);
    const std::size_t arrives = (round + 4) % arriving.size();
    Tensor dy = normal({h, t, e}, {.seed = round});
    for (Index i = 0; i < dy.size(); ++i) {
      const Index channel = i % e, query = i / e % t;
      Scalar& g = dy.mutable_data()[i];
      const Scalar all[] = {Scalar(i % 2 == 0 ? 1 : -1), channel == 0 ? 0 : g,
                            query % 2 == 0 ? 0 : g, query != one ? 0 : g, g};
      g = all[arrives];
    }
    must_hold(std::to_string(t) + " positions, H " + std::to_string(h) + ", D " +
                  std::to_string(d) + ", E " + std::to_string(e) + ", dy: " + arriving[arrives],
              kAttention, drawn(h, t, d, e, 1, round), dy, 1e-4);
  }
  green("15 sizes, and dy of many kinds");
}

void must_skip() {
  Tensors x = drawn(2, 200, 4, 3);
  for (std::size_t i : {1, 2}) {
    for (Index n = 0; n < x[i].size(); ++n) {
      if (n / x[i].size(-1) % 200 >= 128) x[i].mutable_data()[n] = NAN;
    }
  }
  for (Tensor& each : x) each.set_requires_grad();
  const auto must_be_free = [](const Tensor& of, const std::string& what) {
    for (Index i = 0; i < of.size(); ++i) {
      const Index query = i / of.size(-1) % 200;
      if (query >= 128 || std::isfinite(of.data()[i])) continue;
      red("keys and values from 128 on are NaN: ", what, query,
          " has it, too\nlikely cause: a block computes with keys that all its queries hide; give "
          "it the keys [0, end)");
    }
  };
  const Tensor y = kAttention.mine(x);
  must_be_free(y, "query ");
  backward(y, ones(y.shape()));
  must_be_free(x[0].grad(), "the gradient of query ");
  green("no block computes with keys after its last query");
}

void memory() {
  const Index t = 1024, d = 8;
  const Tensors x = leaves_of(drawn(1, t, d, d));
  const Tensor dy = normal({1, t, d}, {.seed = 4});
  const std::size_t before = heap.in_use, block = 4 * 64 * t, rows = 4 * t * d;
  const auto at_most = [](std::size_t allowed, const std::string& takes, std::size_t bytes,
                          const std::string& cause) {
    if (bytes <= allowed) return;
    red("1024 positions: ", takes, " ", bytes / 1024, " KB, expected ", allowed / 1024,
        " at most\nlikely cause: ", cause);
  };
  heap.most = heap.in_use, heap.largest = 0;
  const Tensor y = kAttention.mine(x);
  const std::string large = "scores of more than 64 queries";
  at_most(block + 4096, "an array takes", heap.largest, large);
  at_most(2 * rows + 16384, "from forward to backward it keeps", heap.in_use - before,
          "the weights are kept; compute them again");
  backward(y, dy);
  at_most(block + 4096, "backward, an array takes", heap.largest, large);
  at_most(7 * block + 8 * rows, "in use at one time are", heap.most - before,
          "the blocks of weights are kept until the end");
  green("1024 positions: memory");
}

/// Arrays with a row for each key are dk and dv themselves and what the last block makes, as all
/// others see fewer keys. Rows of 256 numbers make them larger than a block of scores.
void must_add_rows(const std::string& name, Index d, Index e) {
  const Index t = 1024;
  const Tensors x = leaves_of(drawn(1, t, d, e));
  const Tensor y = kAttention.mine(x), dy = ones(y.shape());
  heap.largest = 0, whole = 4 * std::size_t(t * std::max(d, e)), wholes = 0;
  backward(y, dy);
  whole = SIZE_MAX;
  if (wholes > 9) {
    red("1024 positions: backward, arrays as large as ", name, " are made between ", wholes,
        " pairs of matrix products, expected at most 9\nlikely cause: ", name,
        " is written whole for each block, with rows that a block does not have; add to the first "
        "`end` rows alone, in place");
  }
  green("1024 positions: a block adds to the rows of its keys in ", name);
}

/// Products of one size: of each query with the keys that it sees, and of blocks of 64.
void products() {
  const Index t = 1024, d = 8;
  const Tensors x = leaves_of(drawn(1, t, d, d));
  const double seen = double(t * (t + 1) * d) / 1e6, by_blocks = double(t * (t + 64) * d) / 1e6;
  const auto does = [&](const std::string& pass, int n, const auto& f, const std::string& hint) {
    millions = 0, narrowest = t;
    const Tensor y = f();
    const std::string did = "1024 positions: " + pass + " does " + std::to_string(millions) +
                            " million operations in matrix products, expected at ";
    if (narrowest < 64) {
      red("1024 positions: ", pass, " has matrix products of ", narrowest,
          " queries, expected 64\nlikely cause: blocks of fewer than 64 queries, whose products "
          "are slow");
    }
    if (millions < (n - 0.05) * seen) {
      red(did, n * seen, " least\nlikely cause: loops by hand, which are slow; ", hint,
          ", so use matmul()");
    }
    if (millions > (n + 0.05) * by_blocks) {
      red(did, n * by_blocks,
          " most\nlikely cause: products with keys that a "
          "block hides; give them the keys [0, end)");
    }
    return y;
  };
  const Tensor y = does(
      "forward", 2, [&] { return kAttention.mine(x); }, "a block is a matrix");
  const auto back = [&] { return backward(y, ones(y.shape())), y; };
  does("backward", 5, back, "the five equations are products of matrices");
  green("1024 positions: products with the keys that a block sees");
}

}  // namespace

/// Counts, and calls OpenBLAS's.
extern "C" void cblas_sgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m,
                            blasint n, blasint k, float alpha, const float* a, blasint lda,
                            const float* b, blasint ldb, float beta, float* c, blasint ldc) {
  static const auto real =
      reinterpret_cast<decltype(&cblas_sgemm)>(dlsym(RTLD_NEXT, "cblas_sgemm"));
  millions += 2e-6 * double(m) * double(n) * double(k);
  narrowest = std::min<Index>(narrowest, std::max(std::min(m, n), std::min(std::max(m, n), k)));
  if (heap.largest >= whole) ++wholes, heap.largest = 0;
  real(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

CHECK_ANSWER() {
  hold("one position", 2, 1, 3, 2);
  hold("5 positions, 6 heads, D 4, E 6", 6, 5, 4, 6);
  hold("64 positions", 1, 64, 5, 3);
  hold("65 positions", 2, 65, 3, 4);
  hold("150 positions", 2, 150, 4, 3);
  const Tensors x = drawn(2, 70, 4, 3);
  must_stay_apart(kAttention, x, drawn(2, 70, 4, 3, 1, 11));
  must_stay_apart(kAttention, x, drawn(2, 30, 4, 3, 1, 11));
  must_outlive_inputs(kAttention, x);
  must_record_what_is_asked();
  must_obey_no_grad(kAttention, x);
  memory();
  must_skip();
  products();
  must_add_rows("dk", 256, 8), must_add_rows("dv", 8, 256);
  must_hold_at_random();
  hold("3 positions, 20 heads", 20, 3, 2, 2);
  hold("1100 positions", 1, 1100, 2, 2);
  hold("scores of some thousand", 1, 70, 3, 5, 30);
}
