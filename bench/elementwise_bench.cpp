/// @file
/// Elementwise ops, on activations of each model size and on arrays larger than the caches
/// ("large").

#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "bench/op_bench.h"

namespace gradus {
namespace {

void add_unary(const std::string& name, const Shape& shape, std::function<Tensor(const Tensor&)> op,
               Backward backward = Backward::kFromInputs) {
  register_op({name, {shape}, [op = std::move(op)](const auto& x) { return op(x[0]); }, backward});
}

void add_binary(const std::string& name, const Shape& a, const Shape& b,
                std::function<Tensor(const Tensor&, const Tensor&)> op,
                Backward backward = Backward::kFromInputs) {
  register_op(
      {name, {a, b}, [op = std::move(op)](const auto& x) { return op(x[0], x[1]); }, backward});
}

/// `wide` is the shape inside the feed-forward layers, `narrow` the shape of the residual stream.
void register_at(const std::string& size, const Shape& wide, const Shape& narrow) {
  using Unary = Tensor (*)(const Tensor&);
  // Half of the inputs of log and sqrt are negative: NaN takes no longer than other results.
  const std::pair<const char*, Unary> unary[] = {
      {"exp", exp},         {"log", log},   {"sqrt", sqrt}, {"abs", abs},           {"tanh", tanh},
      {"sigmoid", sigmoid}, {"relu", relu}, {"gelu", gelu}, {"gelu_erf", gelu_erf}, {"silu", silu}};
  for (const auto& [name, op] : unary) {
    add_unary(name + size, wide, op);
  }
  add_unary("pow" + size, wide, [](const Tensor& x) { return pow(x, 3); });
  add_unary(
      "scale" + size, wide, [](const Tensor& x) { return x * Scalar(0.5); },
      Backward::kFromGradient);
  add_unary(
      "dropout" + size, narrow,
      [](const Tensor& x) { return dropout(x, Scalar(0.2), {.seed = 1}); },
      Backward::kFromGradient);

  const auto plus = [](const Tensor& a, const Tensor& b) { return a + b; };
  add_binary("add" + size, narrow, narrow, plus, Backward::kNone);
  add_binary("add_bias" + size, wide, {wide[-1]}, plus, Backward::kNone);
  add_binary("mul" + size, narrow, narrow, [](const Tensor& a, const Tensor& b) { return a * b; });
  add_binary("div" + size, narrow, narrow, [](const Tensor& a, const Tensor& b) { return a / b; });
  add_binary("maximum" + size, narrow, narrow, maximum);
}

}  // namespace

void register_elementwise() {
  for (const Sizes& s : kSizes) {
    register_at("/" + s.name, {s.tokens(), 4 * s.n_embd}, {s.tokens(), s.n_embd});
  }
  register_at("/large", {4096, 4096}, {4096, 4096});
}

}  // namespace gradus
