// Tests ops with two paths: a switch selects the path, both paths give the same numbers, and
// gradients of gradients use the composed path.

#include "autograd/ops/two_paths.h"

#include <thread>

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/token_shift.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

struct TwoPaths {
  std::string name;  // the op's name in the graph
  Function f;
  std::vector<Shape> shapes;
};

std::vector<TwoPaths> all() {
  using Activation = Tensor (*)(const Tensor&);
  const auto of_one = [](const char* name, Activation op) {
    return TwoPaths{name, [op](const Tensors& x) { return op(x[0]); }, {{2, 3}}};
  };
  const IndexTensor mask = indices({{1, 0, 1}, {0, 0, 0}, {0, 1, 1}});
  const Tensor table = rotary_table(4, 4);
  return {
      of_one("relu_squared", relu_squared),
      of_one("gelu", gelu),
      of_one("gelu_erf", gelu_erf),
      of_one("silu", silu),
      of_one("softmax", [](const Tensor& x) { return softmax(x); }),
      of_one("log_softmax", [](const Tensor& x) { return log_softmax(x); }),
      {"layer_norm",
       [](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); },
       {{2, 5}, {5}, {5}}},
      {"layer_norm", [](const Tensors& x) { return layer_norm(x[0], x[1]); }, {{2, 5}, {5}}},
      {"rms_norm", [](const Tensors& x) { return rms_norm(x[0], x[1]); }, {{2, 5}, {5}}},
      {"rms_norm", [](const Tensors& x) { return rms_norm(x[0]); }, {{2, 5}}},
      {"cross_entropy",
       [](const Tensors& x) {
         return cross_entropy(x[0], indices({2, -1, 0}), {-1, Scalar(0.1)});
       },
       {{3, 5}}},
      {"scaled_dot_product_attention",
       [=](const Tensors& x) {
         return scaled_dot_product_attention(x[0], x[1], x[2],
                                             {.mask = mask, .bias = x[3], .dropout = Scalar(0.2)});
       },
       {{2, 3, 4}, {2, 3, 4}, {2, 3, 2}, {3, 3}}},
      {"packed_self_attention",
       [](const Tensors& x) {
         return packed_self_attention(x[0], 2, {.causal = true, .bias = x[1]});
       },
       {{2, 3, 12}, {2, 1, 3}}},
      {"rotary", [=](const Tensors& x) { return rotary(x[0], table, 1); }, {{2, 3, 4}}},
      {"packed_rotary",
       [=](const Tensors& x) { return packed_rotary(x[0], 1, table, 1); },
       {{2, 3, 12}}},
      {"token_shift",
       [](const Tensors& x) {
         return token_shift(x[0], {1, 2, 0, 1});
       },
       {{2, 5, 4}}},
  };
}

Tensors leaves_of(const TwoPaths& op) {
  Tensors leaves;
  for (const Shape& shape : op.shapes) {
    leaves.push_back(drawn(shape, static_cast<std::uint32_t>(leaves.size())).set_requires_grad());
  }
  return leaves;
}

}  // namespace

TEST_CASE("fused: ComposedOps switches every op, and the end of its scope puts it back") {
  for (const TwoPaths& op : all()) {
    CAPTURE(op.name);
    const Tensors x = leaves_of(op);
    {
      const ComposedOps composed;
      { const ComposedOps inner; }
      CHECK_FALSE(uses_fused());
      CHECK(op.f(x).node()->op != op.name);
    }
    CHECK(uses_fused());
    CHECK(op.f(x).node()->op == op.name);
  }
}

TEST_CASE("fused: both paths of every op give the same values and gradients") {
  for (const TwoPaths& op : all()) {
    CAPTURE(op.name);
    CHECK_PATHS(op.f, leaves_of(op));
  }
}

TEST_CASE("fused: each thread has its own switch") {
  const ComposedOps composed;
  bool there = false;
  std::thread([&] { there = uses_fused(); }).join();
  CHECK(there);
}

#ifdef GRADUS_DOUBLE

TEST_CASE("fused: gradients of gradients of every op") {
  for (const TwoPaths& op : all()) {
    CAPTURE(op.name);
    check_second_gradient([&](const Tensors& x) { return tanh(op.f(x)) * sum(x[0] * x[0]); },
                          op.shapes);
  }
}

TEST_CASE("fused: gradients of gradients where one input was computed from another") {
  // The op's own part of each gradient must not go through the other input.
  check_second_gradient(
      [](const Tensors& x) { return layer_norm(x[0], sum(tanh(x[0]), 0), sum(x[0] * x[0], 0)); },
      {{2, 3}});
  check_second_gradient(
      [](const Tensors& x) { return scaled_dot_product_attention(x[0], tanh(x[0]), x[0] * x[0]); },
      {{3, 2}});
}

TEST_CASE("fused: gradients of gradients of gradients") {
  // The gradient of y^2; its second derivative is checked.
  const auto slope = [](const Function& f) {
    return [=](const Tensors& x) {
      Tensors in = x;
      in[0] = x[0].requires_grad() ? x[0] * 1 : x[0].clone().set_requires_grad();
      const Tensor y = f(in);
      return grad({sum(y * y)}, {in[0]}, {.create_graph = true})[0];
    };
  };
  check_second_gradient(slope([](const Tensors& x) { return gelu(x[0]); }), {{2, 3}});
  check_second_gradient(slope([](const Tensors& x) { return layer_norm(x[0], x[1]); }),
                        {{2, 3}, {3}});
}

#endif
