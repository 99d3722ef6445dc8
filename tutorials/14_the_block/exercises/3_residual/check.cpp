#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "pocket/block.h"
#include "tutorials/common/compare_in_training.h"

namespace {

pocket::LayerNorm norm_of(const gradus::Tensor& w, const gradus::Tensor& b) {
  pocket::LayerNorm norm(w.size(-1));
  norm.weight = own(w), norm.bias = own(b);
  return norm;
}

void check_at(const std::string& name, const gradus::Shape& shape, std::uint64_t seed, bool pre) {
  const gradus::Index n = shape[-1];
  const auto x = gradus::normal(shape, {.seed = seed}, 3, 2);
  const auto w = gradus::normal({n}, {.seed = seed + 1}, 2, 1),
             b = gradus::normal({n}, {.seed = seed + 2});
  const auto m = gradus::normal({n, n}, {.seed = seed + 3});
  const auto norm = [&](const gradus::Tensor& x) { return gradus::layer_norm(x, w, b); };
  const auto f = [&](const gradus::Tensor& x) { return matmul(x, m); };
  const pocket::LayerNorm own_norm = norm_of(w, b);
  const pocket::Tensor own_m = own(m);
  const pocket::Scalar rate = pre ? 0.3f : 0.6f;
  pocket::LayerOptions options{.d_model = n, .dropout = rate};
  options.norm_place = pre ? pocket::NormPlace::kPre : pocket::NormPlace::kPost;
  int calls = 0;
  const auto branch = [&](const pocket::Tensor& x) {
    ++calls;
    return pocket::matmul(x, own_m);
  };
  compare(
      name, {x}, [&](const auto& x) { return pocket::residual(x[0], own_norm, options, branch); },
      [&](const auto& x) { return pre ? x[0] + f(norm(x[0])) : norm(x[0] + f(x[0])); });
  if (calls != 1) {
    gradus::red(name, ": the branch was called ", calls,
                " times\nlikely cause: both forms are computed; call it once, with norm(x) or x");
  }
  // In training, the branch's result passes dropout, and nothing else does.
  const pocket::Tensor own_x = own(x).set_requires_grad();
  const auto drop = [&](const pocket::Tensor& x) { return pocket::dropout_in_training(x, rate); };
  compare_in_training(
      name, std::vector<pocket::NamedTensor>{{"x", own_x}},
      [&] { return pocket::residual(own_x, own_norm, options, branch); },
      [&] {
        return pre ? own_x + drop(branch(own_norm(own_x))) : own_norm(own_x + drop(branch(own_x)));
      });
}

}  // namespace

CHECK_ANSWER() {
  check_at("pre-norm, [2, 4]", {2, 4}, 1, true);
  check_at("post-norm, [2, 4]", {2, 4}, 1, false);
  check_at("pre-norm, [2, 3, 5]", {2, 3, 5}, 5, true);
  check_at("post-norm, [2, 3, 5]", {2, 3, 5}, 5, false);
}
