#include <dlfcn.h>

#include <random>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/checking.h"
#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

double millions = 0;           // of operations in matrix products
Index narrowest = 1e6;         // the middle one of a product's three sizes, the smallest so far
std::size_t whole = SIZE_MAX;  // bytes of an array with a row for each key
int wholes = 0;                // how often one was made since the product before

std::vector<Tensor> drawn(Index h, Index t, Index d, Index e, Scalar scale,
                          std::uint64_t seed = 1) {
  return {normal({h, t, d}, {.seed = seed}, 0, scale).set_requires_grad(),
          normal({h, t, d}, {.seed = seed + 1}, 0, scale).set_requires_grad(),
          normal({h, t, e}, {.seed = seed + 2}).set_requires_grad()};
}

void hold(const std::string& what, Index h, Index t, Index d, Index e, Scalar scale) {
  const std::vector<Tensor> right = drawn(h, t, d, e, scale), x = drawn(h, t, d, e, scale);
  const Tensor &q = x[0], &k = x[1], &v = x[2], dy = normal({h, t, e}, {.seed = 4});
  const Tensor expected =
      scaled_dot_product_attention(right[0], right[1], right[2], {.causal = true});
  backward(expected, dy);
  const Index nodes = nodes_made;
  const Tensor y =
      gradus::unchanged<Tensor>(what, {q, k, v}, [&] { return attention_by_blocks(q, k, v); });
  if (!y.defined()) red(what + ": got nothing");
  if (nodes_made - nodes != 1) {
    red(what + ": " + std::to_string(nodes_made - nodes) +
        " nodes were recorded, expected 1\nlikely cause: " +
        (nodes_made == nodes ? "no record()" : "forward without NoGrad, or by recorded ops"));
  }
  if (!pocket::recording)
    red(what + ": nothing is recorded any more\nlikely cause: a NoGrad stays");
  gradus::must_be_finite(what, y, "does a query see no key?");
  const double near = 2e-5 * std::max(Scalar(1), scale);
  if (!gradus::is_close(as_library(y), as_library(expected.detach()), near)) {
    gradus::expect(what, as_library(y), as_library(expected.detach()), "", near);
  }
  if (!y.requires_grad()) red(what + ": the result has no node\nlikely cause: no record()");
  const Tensor kept = tensor(y.shape(), {y.begin(), y.end()}), arrives = dy.detach();
  pass_back(what, y, arrives);
  const std::vector<Tensor> before = drawn(h, t, d, e, scale);
  const auto must_stay = [&](const char* name, const Tensor& now, const Tensor& then) {
    if (is_same(now, then)) return;
    red(what + ": backward has changed " + name +
        ", which other ops read, too\nlikely cause: a copy of a tensor and its detach() share its "
        "numbers; write into a new one");
  };
  must_stay("dy", arrives, normal({h, t, e}, {.seed = 4})), must_stay("y", y, kept);
  must_stay("q", q, before[0]), must_stay("k", k, before[1]), must_stay("v", v, before[2]);
  const char* names[] = {"q", "k", "v"};
  for (int i = 0; i < 3; ++i) {
    if (!x[i].grad().defined()) red(what + ": no gradient arrived at " + names[i]);
    const Tensor grad = right[i].grad();
    const double size = gradus::scale_of(grad);
    if (gradus::is_close(as_library(x[i].grad()), as_library(grad), 5e-5 * size)) continue;
    gradus::expect(what + ": the gradient of " + names[i], as_library(x[i].grad()),
                   as_library(grad), "", 5e-5 * size);
  }
  green(what + ", and its gradients");
}

/// Two of them are in one graph, of one shape or not.
void must_stay_apart(Index of_other) {
  const std::vector<Tensor> x = drawn(2, 70, 4, 3, 1), right = drawn(2, 70, 4, 3, 1);
  const std::vector<Tensor> other = drawn(2, of_other, 4, 3, 1, 11);
  const Tensor dy = normal({2, 70, 3}, {.seed = 4});
  backward(scaled_dot_product_attention(right[0], right[1], right[2], {.causal = true}), dy);
  const Tensor first = attention_by_blocks(x[0], x[1], x[2]);
  const Tensor second = attention_by_blocks(other[0], other[1], other[2]);
  const std::string cause =
      "they share what is saved, static or global variables; the closure is to have its own";
  pass_back("two of them before the first backward", first, dy, cause);
  std::vector<Tensor> arrived;
  for (int i = 0; i < 3; ++i) {
    const Tensor grad = x[i].grad();
    if (!gradus::is_close(as_library(grad), as_library(right[i].grad()), 1e-4)) {
      red("two of them before the first backward: the first's gradients are wrong\nlikely cause: " +
          cause);
    }
    arrived.push_back(tensor(grad.shape(), {grad.begin(), grad.end()}));
  }
  backward(second, normal({2, of_other, 3}, {.seed = 5}));
  for (int i = 0; i < 3; ++i) {
    if (is_same(arrived[i], x[i].grad())) continue;
    red("the second backward has changed a gradient of the first\nlikely cause: it is the array of "
        "an earlier gradient, a static or a global tensor; make a new one in each pass");
  }
  green("two of them in one graph");
}

/// In the middle of a graph, and before backward all is gone that nothing keeps: q, k and v are
/// made inside, as in a layer, and in memory that reads as 0 afterwards.
void must_outlive_inputs() {
  const std::string what = "a layer that makes q, k and v and returns y";
  const std::vector<Tensor> x = drawn(2, 70, 4, 3, 1), right = drawn(2, 70, 4, 3, 1);
  const Tensor dy = normal({2, 70, 3}, {.seed = 4});
  bool records = false;
  const auto layer = [&](const std::vector<Tensor>& from, const auto& attention) {
    std::vector<Tensor> made;
    for (const Tensor& each : from) {
      const auto pass_on = [&records, each = each.detach()](const Tensor& g) -> Gradients {
        records = records || pocket::recording;
        return {g * Scalar(2)};
      };
      made.push_back(record("layer", each.detach() * Scalar(2), {each}, pass_on));
    }
    return attention(made[0], made[1], made[2]) + ones({3});
  };
  backward(layer(right,
                 [](const Tensor& q, const Tensor& k, const Tensor& v) {
                   return scaled_dot_product_attention(q, k, v, {.causal = true});
                 }),
           dy);
  heap.buries = true;
  const Tensor y = layer(x, attention_by_blocks);
  pass_back(what, y, dy);
  heap.buries = false;
  if (records) {
    red("ops are recorded again within a NoGrad of its caller, that of backward()\nlikely cause: "
        "`recording` is set by hand; a NoGrad gives back what was before");
  }
  for (int i = 0; i < 3; ++i) {
    if (!x[i].grad().defined()) {
      red(what + ": no gradient arrived before " + "qkv"[i] +
          "\nlikely cause: in the middle of a graph, q, k and v are no leaves; the closure returns "
          "gradients, and backward() hands them on and adds them where they belong");
    }
    if (gradus::is_close(as_library(x[i].grad()), as_library(right[i].grad()), 1e-4)) continue;
    red(what + ": the gradient of " + "qkv"[i] +
        " is wrong\nlikely cause: the closure keeps a pointer, and the array is gone: capture "
        "tensors, [=]");
  }
  green(what);
}

/// One of three may be all that needs a gradient, or none.
void must_record_what_is_asked() {
  const Tensor dy = normal({2, 70, 3}, {.seed = 4});
  for (int i = 0; i < 3; ++i) {
    std::vector<Tensor> x = drawn(2, 70, 4, 3, 1), right = drawn(2, 70, 4, 3, 1);
    for (int other = 0; other < 3; ++other) {
      if (other != i) x[other].set_requires_grad(false), right[other].set_requires_grad(false);
    }
    const std::string what = std::string(1, "qkv"[i]) + " alone needs a gradient";
    const Tensor y = attention_by_blocks(x[0], x[1], x[2]);
    if (!y.requires_grad()) {
      red(what +
          ": the result has no node\nlikely cause: that is asked of one input, but record() "
          "asks all");
    }
    backward(scaled_dot_product_attention(right[0], right[1], right[2], {.causal = true}), dy);
    pass_back(what, y, dy);
    if (x[i].grad().defined() &&
        gradus::is_close(as_library(x[i].grad()), as_library(right[i].grad()), 1e-4)) {
      continue;
    }
    red(what + ": it is wrong\nlikely cause: gradients are returned in the order of the inputs");
  }
  const std::vector<Tensor> x = drawn(2, 70, 4, 3, 1);
  {
    const NoGrad no_grad;
    const Tensor right = scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true});
    const Index nodes = nodes_made;
    const Tensor y = gradus::unchanged<Tensor>(
        "under NoGrad", x, [&] { return attention_by_blocks(x[0], x[1], x[2]); });
    if (pocket::recording) {
      red("ops are recorded again within a NoGrad of its caller\nlikely cause: `recording` is set "
          "by hand; a NoGrad gives back what was before");
    }
    if (nodes_made != nodes || y.requires_grad()) {
      red("under NoGrad: a node is recorded\nlikely cause: it is made by hand; record() asks "
          "whether one is wanted");
    }
    if (!gradus::is_close(as_library(y), as_library(right), 1e-4)) red("under NoGrad: y is wrong");
  }
  green("it records for any of the three, and not under NoGrad");
}

/// Sizes and what arrives, drawn at random: a block, or all, may get a dy whose sum is 0.
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
    const std::vector<Tensor> x = drawn(h, t, d, e, 1, round), right = drawn(h, t, d, e, 1, round);
    const Tensor expected =
        scaled_dot_product_attention(right[0], right[1], right[2], {.causal = true});
    const Tensor y = attention_by_blocks(x[0], x[1], x[2]);
    const std::string what = std::to_string(t) + " positions, H " + std::to_string(h) + ", D " +
                             std::to_string(d) + ", E " + std::to_string(e);
    const std::string far =
        t > 192 ? "each query sees all keys before it, those of the first block, too"
                : "a block's sizes are those of its queries and of the keys up to its last one";
    if (!gradus::is_close(as_library(y), as_library(expected.detach()), 5e-5)) {
      gradus::print_both(as_library(y), as_library(expected.detach()));
      red(what + "\nlikely cause: " + far);
    }
    backward(expected, dy), backward(y, dy);
    for (int i = 0; i < 3; ++i) {
      const Tensor got = x[i].grad(), grad = right[i].grad();
      const double size = gradus::scale_of(grad);
      if (gradus::is_close(as_library(got), as_library(grad), 1e-4 * size)) continue;
      gradus::print_both(as_library(got), as_library(grad));
      red(what + ": the gradient of " + "qkv"[i] + ", where dy is " + arriving[arrives] +
          "\nlikely cause: " +
          (arrives + 1 == arriving.size()
               ? far
               : "a block is left out for zeros in its dy, or for their sum, which is 0"));
    }
  }
  green("15 sizes, and dy of many kinds");
}

void must_skip() {
  const std::vector<Tensor> x = drawn(2, 200, 4, 3, 1);
  Tensor k = x[1].detach(), v = x[2].detach();
  for (Tensor* each : {&k, &v}) {
    const Index width = each->size(-1);
    for (Index i = 0; i < each->size(); ++i) {
      if (i / width % 200 >= 128) each->mutable_data()[i] = NAN;
    }
  }
  k.set_requires_grad(), v.set_requires_grad();
  const Tensor y = attention_by_blocks(x[0], k, v);
  const auto must_be_free = [](const Tensor& of, const std::string& what) {
    for (Index i = 0; i < of.size(); ++i) {
      const Index query = i / of.size(-1) % 200;
      if (query >= 128 || std::isfinite(of.data()[i])) continue;
      red("keys and values from 128 on are NaN: " + what + std::to_string(query) +
          " has it, too\nlikely cause: a block computes with keys that all its queries hide; give "
          "it the keys [0, end)");
    }
  };
  must_be_free(y, "query ");
  backward(y, ones(y.shape()));
  must_be_free(x[0].grad(), "the gradient of query ");
  green("no block computes with keys after its last query");
}

void memory() {
  const Index t = 1024, d = 8;
  const std::vector<Tensor> x = drawn(1, t, d, d, 1);
  const Tensor dy = normal({1, t, d}, {.seed = 4});
  const std::size_t before = heap.in_use, block = 4 * 64 * t, rows = 4 * t * d;
  heap.most = heap.in_use, heap.largest = 0;
  const auto said = [](const char* what, std::size_t bytes, std::size_t allowed) {
    return std::string("1024 positions: ") + what + " " + std::to_string(bytes / 1024) +
           " KB, expected " + std::to_string(allowed / 1024) + " at most";
  };
  const Tensor y = attention_by_blocks(x[0], x[1], x[2]);
  if (heap.largest > block + 4096) {
    red(said("an array takes", heap.largest, block) +
        "\nlikely cause: scores of more than 64 queries");
  }
  if (heap.in_use - before > 2 * rows + 16384) {
    red(said("from forward to backward it keeps", heap.in_use - before, 2 * rows) +
        "\nlikely cause: the weights are kept; compute them again");
  }
  backward(y, dy);
  if (heap.largest > block + 4096) {
    red(said("backward, an array takes", heap.largest, block) +
        "\nlikely cause: scores of more than 64 queries");
  }
  if (heap.most - before > 7 * block + 8 * rows) {
    red(said("in use at one time are", heap.most - before, 7 * block + 8 * rows) +
        "\nlikely cause: the blocks of weights are kept until the end");
  }
  green("1024 positions: memory");
}

/// Arrays with a row for each key are dk and dv themselves and what the last block makes, as all
/// others see fewer keys. Rows of 256 numbers make them larger than a block of scores.
void must_add_rows(const std::string& name, Index d, Index e) {
  const Index t = 1024;
  const std::vector<Tensor> x = drawn(1, t, d, e, 1);
  const Tensor y = attention_by_blocks(x[0], x[1], x[2]), dy = ones(y.shape());
  heap.largest = 0, whole = 4 * std::size_t(t * std::max(d, e)), wholes = 0;
  backward(y, dy);
  whole = SIZE_MAX;
  if (wholes > 9) {
    red("1024 positions: backward, arrays as large as " + name + " are made between " +
        std::to_string(wholes) +
        " pairs of matrix products, expected at most 9\nlikely cause: " + name +
        " is written whole for each block, with rows that a block does not have; add to the first "
        "`end` rows alone, in place");
  }
  green("1024 positions: a block adds to the rows of its keys in " + name);
}

void products() {
  const Index t = 1024, d = 8;
  const std::vector<Tensor> x = drawn(1, t, d, d, 1);
  // Products of one size: of each query with the keys that it sees, and of blocks of 64.
  const double seen = double(t * (t + 1) * d) / 1e6, by_blocks = double(t * (t + 64) * d) / 1e6;
  const auto counted = [](const std::string& pass, double count) {
    return "1024 positions: " + pass + " does " + std::to_string(millions) +
           " million operations in matrix products, expected at " + std::to_string(count);
  };
  const auto must_be_wide = [](const std::string& pass) {
    if (narrowest >= 64) return;
    red("1024 positions: " + pass + " has matrix products of " + std::to_string(narrowest) +
        " queries, expected 64\nlikely cause: blocks of fewer than 64 queries, whose products are "
        "slow");
  };
  millions = 0, narrowest = t;
  const Tensor y = attention_by_blocks(x[0], x[1], x[2]);
  must_be_wide("forward");
  if (millions < 1.99 * seen) {
    red(counted("forward", 2 * seen) +
        " least\nlikely cause: loops by hand, which are slow; a block of queries is a matrix, so "
        "use matmul()");
  }
  if (millions > 2.05 * by_blocks) {
    red(counted("forward", 2 * by_blocks) +
        " most\nlikely cause: products with keys that a block hides; give them the keys [0, end)");
  }
  millions = 0;
  backward(y, ones(y.shape()));
  must_be_wide("backward");
  if (millions < 4.95 * seen) {
    red(counted("backward", 5 * seen) +
        " least\nlikely cause: loops by hand, which are slow; the five equations are products of "
        "matrices, so use matmul()");
  }
  if (millions > 5.05 * by_blocks) {
    red(counted("backward", 5 * by_blocks) +
        " most\nlikely cause: products with keys that a block hides; give them the keys [0, end)");
  }
  green("1024 positions: products with the keys that a block sees");
}

}  // namespace

Scalar pocket::exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = std::exp(from[i] - largest);
  return std::accumulate(to, to + n, Scalar(0));
}
Scalar pocket::row_dot(const Scalar* x, const Scalar* y, Index n) {
  return std::inner_product(x, x + n, y, Scalar(0));
}

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

int main() {
  return gradus::run_check([] {
    hold("one position", 2, 1, 3, 2, 1);
    hold("5 positions, 6 heads, D 4, E 6", 6, 5, 4, 6, 1);
    hold("64 positions", 1, 64, 5, 3, 1);
    hold("65 positions", 2, 65, 3, 4, 1);
    hold("150 positions", 2, 150, 4, 3, 1);
    must_stay_apart(70), must_stay_apart(30);
    must_outlive_inputs();
    must_record_what_is_asked();
    memory();
    must_skip();
    products();
    must_add_rows("dk", 256, 8), must_add_rows("dv", 8, 256);
    must_hold_at_random();
    hold("3 positions, 20 heads", 20, 3, 2, 2, 1);
    hold("1100 positions", 1, 1100, 2, 2, 1);
    hold("scores of some thousand", 1, 70, 3, 5, 30);
  });
}
