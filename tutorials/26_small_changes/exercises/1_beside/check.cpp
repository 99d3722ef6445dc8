#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "pocket/lora.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/count_new.h"

using gradus::green, gradus::red;

namespace {

struct Sizes {
  gradus::Index rows, in, out, rank;
  gradus::Scalar alpha;
};

/// Values and gradients of x, A and B, beside those of the library's ops.
void ask(const std::string& what, const Sizes& sizes, gradus::Scalar large = 1) {
  const gradus::Index in = sizes.in, out = sizes.out, rank = sizes.rank;
  const gradus::Scalar alpha = sizes.alpha;
  const gradus::Tensor x = gradus::normal({2, sizes.rows, in}, {.seed = 1}) * large;
  const gradus::Tensor a = gradus::normal({in, rank}, {.seed = 2});
  const gradus::Tensor b = gradus::normal({rank, out}, {.seed = 3});
  const gradus::Tensor weight = gradus::normal({in, out}, {.seed = 4});
  const gradus::Scalar scale = alpha / gradus::Scalar(rank);
  const auto mine = [&](const std::vector<pocket::Tensor>& given) {
    pocket::KeySequence keys(1);
    pocket::LowRank pair(in, out, {.rank = rank, .alpha = alpha}, keys);
    pair.a = given[1], pair.b = given[2];
    const pocket::Tensor frozen = own(weight);
    return gradus::unchanged(what, std::vector<pocket::Tensor>{frozen},
                             [&] { return pair.beside(frozen, given[0]); });
  };
  compare(what, {x, a, b}, mine, [&](const std::vector<gradus::Tensor>& given) {
    const gradus::Tensor narrow = gradus::matmul(given[0], given[1]);
    return gradus::matmul(given[0], weight) + gradus::matmul(narrow, given[2]) * scale;
  });
  green(what);
}

}  // namespace

CHECK_ANSWER() {
  ask("s = 1.5", {.rows = 3, .in = 4, .out = 5, .rank = 2, .alpha = 3});
  ask("s = 0.5", {.rows = 2, .in = 5, .out = 3, .rank = 2, .alpha = 1});
  ask("W, A and B all square", {.rows = 2, .in = 3, .out = 3, .rank = 3, .alpha = 6});
  ask("numbers of about 10000", {.rows = 3, .in = 4, .out = 5, .rank = 2, .alpha = 4}, 1e4f);

  pocket::KeySequence keys(1);
  const pocket::LowRank fresh(4, 3, {.rank = 2}, keys);
  const pocket::Tensor x = pocket::normal({2, 4}, {5}), weight = pocket::normal({4, 3}, {6});
  gradus::expect("a new pair changes nothing", gradus::as_library(fresh.beside(weight, x)),
                 gradus::as_library(pocket::matmul(x, weight)), {}, 0);

  const pocket::Index wide = 600;
  const pocket::LowRank pair(wide, wide, {.rank = 2}, keys);
  const pocket::Tensor frozen = pocket::zeros({wide, wide}), row = pocket::ones({1, wide});
  const pocket::NoGrad no_grad;
  gradus::taken_by_new = {.counting = true};
  pair.beside(frozen, row);
  gradus::taken_by_new.counting = false;
  const std::size_t most = gradus::taken_by_new.largest;
  if (most >= sizeof(pocket::Scalar) * wide * wide) {
    red("one row of ", wide, " numbers, and W [", wide, ", ", wide, "]: took ", most,
        " bytes at once\nlikely cause: A B, or W + s A B, is as large as W: multiply x by A first");
  }
  green("no second matrix as large as W");
}
