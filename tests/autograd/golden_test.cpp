/// @file
/// Compares every op with values and gradients from PyTorch (see tests/golden/README.md).

#include <map>
#include <set>

#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/views.h"
#include "nn/files/safetensors.h"
#include "tests/autograd/expect.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

/// The contents of one case of the file.
struct Case {
  Tensors in;
  IndexTensor index, mask;
};

/// The op of a case, with one result or several.
using Op = std::function<Tensors(const Case&)>;
using Ops = std::map<std::string, Op>;

template <class F>
Op op(F f) {
  return [f](const Case& c) { return Tensors{f(c)}; };
}

template <class F>
Op unary(F f) {
  return [f](const Case& c) { return Tensors{f(c.in[0])}; };
}

template <class F>
Op binary(F f) {
  return [f](const Case& c) { return Tensors{f(c.in[0], c.in[1])}; };
}

void add_elementwise(Ops& ops) {
  const std::map<std::string, Op> pairs{
      {"add", binary([](const Tensor& a, const Tensor& b) { return a + b; })},
      {"sub", binary([](const Tensor& a, const Tensor& b) { return a - b; })},
      {"mul", binary([](const Tensor& a, const Tensor& b) { return a * b; })},
      {"div", binary([](const Tensor& a, const Tensor& b) { return a / b; })},
      {"maximum", binary(maximum)}};
  for (const auto& [name, f] : pairs) {
    for (const char* shapes : {"", "_broadcast", "_broadcast_both", "_scalar_shape"}) {
      ops[name + shapes] = f;
    }
  }
  ops["add_number"] = unary([](const Tensor& x) { return x + Scalar(1.5); });
  ops["sub_from_number"] = unary([](const Tensor& x) { return 2.5 - x; });
  ops["mul_number"] = unary([](const Tensor& x) { return x * -0.5; });
  ops["div_number_by"] = unary([](const Tensor& x) { return 3 / x; });
  ops["neg"] = unary([](const Tensor& x) { return -x; });
  ops["exp"] = unary([](const Tensor& x) { return exp(x); });
  ops["log"] = unary([](const Tensor& x) { return log(x); });
  ops["sqrt"] = unary([](const Tensor& x) { return sqrt(x); });
  ops["pow_3"] = unary([](const Tensor& x) { return pow(x, 3); });
  ops["pow_minus_1.5"] = unary([](const Tensor& x) { return pow(x, -1.5); });
  for (const char* range : {"", "_wide"}) {
    ops[text("abs", range)] = unary([](const Tensor& x) { return abs(x); });
    ops[text("tanh", range)] = unary([](const Tensor& x) { return tanh(x); });
    ops[text("sigmoid", range)] = unary(sigmoid);
    ops[text("relu", range)] = unary(relu);
    ops[text("gelu_tanh", range)] = unary(gelu);
    ops[text("gelu_erf", range)] = unary(gelu_erf);
    ops[text("silu", range)] = unary(silu);
  }
}

void add_reductions(Ops& ops) {
  ops["sum_all"] = unary([](const Tensor& x) { return sum(x); });
  ops["mean_all"] = unary([](const Tensor& x) { return mean(x); });
  for (const ReduceOptions keep : {ReduceOptions{}, ReduceOptions{.keepdim = true}}) {
    const char* end = keep.keepdim ? "_keepdim" : "";
    const std::map<std::string, Axes> sets{
        {"0", 0}, {"1", 1}, {"2", 2}, {"02", {0, 2}}, {"12", {1, 2}}};
    for (const auto& entry : sets) {
      const std::string digits = entry.first;
      const Axes axes = entry.second;
      ops["sum_axes" + digits + end] = unary([=](const Tensor& x) { return sum(x, axes, keep); });
      ops["mean_axes" + digits + end] = unary([=](const Tensor& x) { return mean(x, axes, keep); });
      if (digits.size() == 1) {
        ops["max_axes" + digits + end] = unary([=](const Tensor& x) { return max(x, axes, keep); });
      }
    }
    ops[text("variance", end)] = unary([=](const Tensor& x) { return variance(x, -1, keep); });
  }
}

void add_products(Ops& ops) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const std::string end = std::string(ta ? "_ta" : "") + (tb ? "_tb" : "");
      const Op product = op([=](const Case& c) { return matmul(c.in[0], c.in[1], {ta, tb}); });
      ops["matmul" + end] = ops["matmul_batched" + end] = product;
      if (!ta || !tb) {
        ops["matmul_broadcast" + end] = product;
      }
    }
  }
  ops["matmul_shared_right"] = ops["matmul_shared_left"] = ops["matmul"];
  ops["linear"] = op([](const Case& c) { return linear(c.in[0], c.in[1], c.in[2]); });
  ops["linear_no_bias"] = op([](const Case& c) { return linear(c.in[0], c.in[1]); });
}

void add_rearrangements(Ops& ops) {
  ops["reshape"] = unary([](const Tensor& x) { return reshape(x, {5, 6}); });
  ops["transpose_12"] = unary([](const Tensor& x) { return transpose(x, 1, 2); });
  ops["transpose_02"] = unary([](const Tensor& x) { return transpose(x, 0, 2); });
  ops["permute_201"] = unary([](const Tensor& x) { return permute(x, {2, 0, 1}); });
  ops["permute_0213"] = unary([](const Tensor& x) { return permute(x, {0, 2, 1, 3}); });
  ops["concat_axis1"] = op([](const Case& c) { return concat(c.in, 1); });
  ops["concat_axis0"] = op([](const Case& c) { return concat(c.in, 0); });
  ops["split_2_3_axis1"] = [](const Case& c) { return split_sizes(c.in[0], {2, 3}, 1); };
  ops["slice_axis2_1_4"] = unary([](const Tensor& x) { return slice(x, 2, 1, 4); });
  ops["slice_axis0_1_2"] = unary([](const Tensor& x) { return slice(x, 0, 1, 2); });
  ops["pad_axis1_1_2"] = unary([](const Tensor& x) { return pad(x, 1, 1, 2); });
  ops["pad_axis2_2_0"] = unary([](const Tensor& x) { return pad(x, 2, 2, 0); });
  ops["where"] = op([](const Case& c) { return where(c.mask, c.in[0], c.in[1]); });
  ops["where_broadcast"] = ops["where"];
  ops["masked_fill"] = op([](const Case& c) { return masked_fill(c.in[0], c.mask, -2.5); });
  ops["masked_fill_broadcast"] = ops["masked_fill"];
  ops["embedding"] = op([](const Case& c) { return embedding(c.index, c.in[0]); });
  ops["gather_axis1"] = op([](const Case& c) { return gather(c.in[0], 1, c.index); });
  ops["gather_axis2"] = op([](const Case& c) { return gather(c.in[0], 2, c.index); });
}

void add_fused(Ops& ops) {
  for (const char* kind : {"", "_axis1", "_large"}) {
    const int axis = std::string(kind) == "_axis1" ? 1 : -1;
    ops[text("softmax", kind)] = unary([=](const Tensor& x) { return softmax(x, axis); });
    ops[text("log_softmax", kind)] = unary([=](const Tensor& x) { return log_softmax(x, axis); });
  }
  for (const bool ignores : {false, true}) {
    for (const bool smooths : {false, true}) {
      const CrossEntropyOptions options{.ignore_index = ignores ? -1 : -100,
                                        .label_smoothing = smooths ? Scalar(0.1) : Scalar(0)};
      ops[text("cross_entropy", ignores ? "_ignore_index" : "",
               smooths ? "_label_smoothing" : "")] =
          op([=](const Case& c) { return cross_entropy(c.in[0], c.index, options); });
    }
  }
  ops["layer_norm"] = op([](const Case& c) { return layer_norm(c.in[0], c.in[1], c.in[2]); });
  ops["layer_norm_no_bias"] = op([](const Case& c) { return layer_norm(c.in[0], c.in[1]); });
  const auto attention = [](bool causal) {
    return op([=](const Case& c) {
      return scaled_dot_product_attention(c.in[0], c.in[1], c.in[2],
                                          {.mask = c.mask, .causal = causal});
    });
  };
  ops["attention"] = ops["attention_mask"] = attention(false);
  ops["attention_causal"] = attention(true);
}

Ops all_ops() {
  Ops ops;
  add_elementwise(ops);
  add_reductions(ops);
  add_products(ops);
  add_rearrangements(ops);
  add_fused(ops);
  return ops;
}

const Safetensors& golden_ops() {
  static const Safetensors file = load_safetensors(GRADUS_GOLDEN_DIR "/ops.safetensors");
  return file;
}

/// All tensors `name`0, `name`1 ... of a case, or the single tensor `name`.
Tensors numbered(const std::string& name) {
  const auto& tensors = golden_ops().tensors;
  Tensors found;
  if (const auto only = tensors.find(name); only != tensors.end()) {
    found.push_back(only->second);
  }
  for (int i = 0; tensors.count(text(name, i)) > 0; ++i) {
    found.push_back(tensors.at(text(name, i)));
  }
  return found;
}

/// The largest |got - expected| / (|expected| + 0.1), which must be below the tolerance.
double error(const Tensor& got, const Tensor& expected) {
  REQUIRE(got.shape() == expected.shape());
  double worst = 0;
  for (Index i = 0; i < got.size(); ++i) {
    const double e = expected.data()[i];
    const double off = std::abs(got.data()[i] - e) / (std::abs(e) + 0.1);
    worst = off <= worst ? worst : off;  // NaN stays
  }
  return worst;
}

void check_case(const std::string& name, const Op& f) {
  CAPTURE(name);
  constexpr double kTolerance = kIsDouble ? 1e-9 : 1e-5;
  Case c;
  for (const Tensor& in : numbered(name + "/in")) {
    c.in.push_back(in.clone().set_requires_grad());
  }
  const auto find = [&](const char* what) {
    const auto found = golden_ops().indices.find(name + what);
    return found == golden_ops().indices.end() ? IndexTensor() : found->second;
  };
  c.index = find("/index0");
  c.mask = find("/mask0");
  const Tensors outs = f(c);
  const Tensors expected = numbered(name + "/out");
  REQUIRE(outs.size() == expected.size());
  for (std::size_t i = 0; i < outs.size(); ++i) {
    CAPTURE(i);
    CHECK(error(outs[i], expected[i]) < kTolerance);
  }
  const Tensors gradients = grad(outs, c.in, {.gradients = numbered(name + "/dy")});
  const Tensors expected_gradients = numbered(name + "/grad");
  REQUIRE(gradients.size() == expected_gradients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    CAPTURE(i);
    CHECK(error(gradients[i], expected_gradients[i]) < kTolerance);
  }
}

}  // namespace

TEST_CASE("golden: every case of the file, in value and gradients") {
  const Ops ops = all_ops();
  std::set<std::string> unknown;
  for (const auto& entry : golden_ops().tensors) {
    unknown.insert(entry.first.substr(0, entry.first.find('/')));
  }
  CHECK(unknown.size() == 123);
  for (const auto& [name, f] : ops) {
    REQUIRE(unknown.erase(name) == 1);
    check_case(name, f);
  }
  for (const std::string& name : unknown) {
    FAIL_CHECK("no op for the case " << name);
  }
}

TEST_CASE("golden: every case on the composed paths too") {
  for (const auto& [name, f] : all_ops()) {
    const ComposedOps composed;
    check_case(name, f);
  }
}
