/// @file
/// Computes every op with its gradients for random inputs twice: in float and in double.
///
///     precision_float write FILE      # the results of the float build
///     precision_double compare FILE   # ... are within 1e-5 of the double build's
///
/// The inputs are equal bit for bit: multiples of 2^-22 in [-2, 2), which both builds draw exactly.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/two_paths.h"
#include "nn/files/safetensors.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

using Tensors = std::vector<Tensor>;

struct Case {
  std::vector<Shape> shapes;
  std::function<Tensor(const Tensors&)> f;
};

/// Numbers from 0.5 to 4.5, the range of logarithms, roots and divisors.
Tensor positive(const Tensor& x) { return abs(x) + x + Scalar(0.5); }

std::map<std::string, Case> elementwise() {
  const Shape a{67, 31}, b{67, 1};
  return {
      {"add", {{a, b}, [](const Tensors& x) { return x[0] + x[1]; }}},
      {"sub", {{a, b}, [](const Tensors& x) { return x[0] - x[1]; }}},
      {"mul", {{a, b}, [](const Tensors& x) { return x[0] * x[1]; }}},
      {"div", {{a, b}, [](const Tensors& x) { return x[0] / positive(x[1]); }}},
      {"numbers", {{a}, [](const Tensors& x) { return (2 - x[0] * 3) / 7 - 3 / positive(x[0]); }}},
      {"pow", {{a}, [](const Tensors& x) { return pow(x[0], 3) + pow(positive(x[0]), -1.5); }}},
      {"maximum", {{a, b}, [](const Tensors& x) { return maximum(abs(x[0]), x[1]); }}},
      {"exp", {{a}, [](const Tensors& x) { return exp(-x[0]); }}},
      {"log", {{a}, [](const Tensors& x) { return log(positive(x[0])); }}},
      {"sqrt", {{a}, [](const Tensors& x) { return sqrt(positive(x[0])); }}},
      {"tanh", {{a}, [](const Tensors& x) { return tanh(x[0] * 2); }}},
      {"sigmoid", {{a}, [](const Tensors& x) { return sigmoid(x[0] * 4); }}},
      {"relu", {{a}, [](const Tensors& x) { return relu(x[0]); }}},
      {"gelu", {{a}, [](const Tensors& x) { return gelu(x[0] * 2); }}},
      {"gelu_erf", {{a}, [](const Tensors& x) { return gelu_erf(x[0] * 2); }}},
      {"silu", {{a}, [](const Tensors& x) { return silu(x[0] * 4); }}},
      {"dropout", {{a}, [](const Tensors& x) { return dropout(x[0], Scalar(0.25), {.seed = 3}); }}},
      {"where", {{a, b}, [](const Tensors& x) { return where(greater(x[0], x[1]), x[0], x[1]); }}},
  };
}

std::map<std::string, Case> over_axes() {
  const Shape a{5, 67, 31};
  return {
      {"sum",
       {{a},
        [](const Tensors& x) {
          return sum(x[0], {0, 2});
        }}},
      {"sum_rows", {{{4099, 3}}, [](const Tensors& x) { return sum(x[0] + 2, 0); }}},
      {"mean", {{a}, [](const Tensors& x) { return mean(x[0] + 2); }}},
      {"max", {{a}, [](const Tensors& x) { return max(x[0], 1); }}},
      {"variance", {{a}, [](const Tensors& x) { return variance(x[0], -1); }}},
      {"softmax", {{a}, [](const Tensors& x) { return softmax(x[0] * 4); }}},
      {"softmax_axis", {{a}, [](const Tensors& x) { return softmax(x[0] * 4, 1); }}},
      {"log_softmax", {{a}, [](const Tensors& x) { return log_softmax(x[0] * 4); }}},
      {"layer_norm",
       {{a, {31}, {31}}, [](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); }}},
      {"cross_entropy",
       {{{3, 31}},
        [](const Tensors& x) {
          return cross_entropy(x[0] * 4, indices({30, -1, 7}), {-1, Scalar(0.1)});
        }}},
      {"embedding",
       {{{31, 67}},
        [](const Tensors& x) {
          return embedding(indices({{4, 0}, {30, 4}}), x[0]);
        }}},
      {"rearranged",
       {{a},
        [](const Tensors& x) {
          const Tensor cut = slice(permute(x[0], {2, 0, 1}), 0, 3, 17);
          return concat({transpose(pad(cut, 1, 1, 2)), transpose(cut)}, -1);
        }}},
  };
}

std::map<std::string, Case> products() {
  const std::vector<Shape> heads{{2, 3, 67, 31}, {2, 3, 71, 31}, {2, 3, 71, 29}};
  const AttentionOptions options{.causal = true, .dropout = Scalar(0.25), .key = {.seed = 5}};
  return {
      {"matmul", {{{67, 131}, {131, 31}}, [](const Tensors& x) { return matmul(x[0], x[1]); }}},
      {"matmul_batched",
       {{{5, 1, 67, 31}, {3, 29, 31}},
        [](const Tensors& x) { return matmul(x[0], x[1], {.b = true}); }}},
      {"linear",
       {{{3, 67, 31}, {31, 29}, {29}}, [](const Tensors& x) { return linear(x[0], x[1], x[2]); }}},
      {"attention",
       {heads, [](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2]); }}},
      {"attention_dropped",
       {heads,
        [=](const Tensors& x) { return scaled_dot_product_attention(x[0], x[1], x[2], options); }}},
      {"attention_packed",
       {{{2, 67, 3 * 35}},
        [](const Tensors& x) { return packed_self_attention(x[0], 5, {.causal = true}); }}},
  };
}

/// Computes the results and gradients of one case, with names. tanh follows the op, and the first
/// argument is used twice.
void run(const std::string& name, const Case& c, std::vector<NamedTensor>& results) {
  Tensors inputs;
  for (const Shape& shape : c.shapes) {
    const auto place = static_cast<std::uint32_t>(inputs.size());
    inputs.push_back(uniform(shape, {.seed = 1, .place = place}, -2, 2).set_requires_grad());
  }
  const Tensor y = c.f(inputs);
  const Tensor weights = uniform(y.shape(), {.seed = 2}, -2, 2);
  const Tensor loss = sum(weights * y + tanh(y)) + sum(inputs[0] * inputs[0]);
  results.push_back({name, y.detach()});
  for (const Tensor& gradient : grad({loss}, inputs)) {
    results.push_back({text(name, " gradient ", results.size()), gradient});
  }
}

std::vector<NamedTensor> run_all() {
  std::vector<NamedTensor> results;
  for (const auto& cases : {elementwise(), over_axes(), products()}) {
    for (const auto& [name, c] : cases) {
      run(name, c, results);
      const ComposedOps composed;
      run(name + " composed", c, results);
    }
  }
  return results;
}

/// The largest difference, relative to the larger of the element itself and the tensor's mean size.
double error(const Tensor& got, const Tensor& expected) {
  check(got.shape() == expected.shape(), "shape ", got.shape(), " is not ", expected.shape());
  const double size = mean(abs(expected.detach())).item();
  double worst = 0;
  for (Index i = 0; i < got.size(); ++i) {
    const double e = expected.data()[i];
    const double off = std::abs(got.data()[i] - e) / std::max(std::abs(e), size);
    worst = off <= worst ? worst : off;  // NaN stays
  }
  return worst;
}

/// Prints the error of each result and returns the number of errors that are too large.
int compare(const std::string& path) {
  constexpr double kTolerance = 1e-5;
  const std::map<std::string, Tensor> got = load_safetensors(path).tensors;
  const std::vector<NamedTensor> expected = run_all();
  check(got.size() == expected.size(), path, " has ", got.size(), " results in place of ",
        expected.size());
  int failed = 0;
  for (const auto& [name, tensor, role] : expected) {
    const double off = error(got.at(name), tensor);
    const bool ok = off <= kTolerance;
    failed += !ok;
    std::printf("%-40s %.1e%s\n", name.c_str(), off, ok ? "" : "  FAILED");
  }
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "write") == 0) {
      save_safetensors(argv[2], run_all());
      return 0;
    }
    if (argc == 3 && std::strcmp(argv[1], "compare") == 0) {
      return compare(argv[2]) == 0 ? 0 : 1;
    }
    std::fprintf(stderr, "precision: write FILE or compare FILE, in that order\n");
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "precision: %s\n", e.what());
    return 1;
  }
}
