#include "nn/layers/recurrent.h"

#include "autograd/ops/shape.h"
#include "nn/files/safetensors.h"
#include "nn/names.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr RecurrentKind kKinds[] = {RecurrentKind::kRnn, RecurrentKind::kLstm, RecurrentKind::kGru};

/// What PyTorch computed: see tests/golden/README.md.
const Tensor& golden(const std::string& name) {
  static const Safetensors file =
      load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/parts.safetensors");
  return file.tensors.at(name);
}

/// Layer i of PyTorch's [L, B, H].
Tensor layer_of(const Tensor& x, Index i) {
  return reshape(slice(x, 0, i, i + 1), {x.size(1), x.size(2)});
}

/// |got - expected| within `tolerance` of |expected| + 0.1 at every element.
void check_near(const Tensor& got, const Tensor& expected, double tolerance) {
  REQUIRE(got.shape() == expected.shape());
  for (Index i = 0; i < got.size(); ++i) {
    const double e = expected.data()[i];
    CHECK(std::abs(got.data()[i] - e) <= tolerance * (std::abs(e) + 0.1));
  }
}

}  // namespace

TEST_CASE("recurrent: outputs, states and every gradient are PyTorch's, two layers deep") {
  const double values = kIsDouble ? 1e-10 : 1e-5, gradients = kIsDouble ? 1e-10 : 1e-4;
  for (const RecurrentKind kind : kKinds) {
    CAPTURE(name_of(kind));
    const std::string in = std::string(name_of(kind)) + "/";
    KeySequence keys(1);
    Recurrent layers(kind, 3, 7, 2, keys);
    visit_parameters(layers, [&](const std::string& name, Tensor& parameter) {
      const Tensor kept = golden(in + "param/" + name);
      REQUIRE(kept.shape() == parameter.shape());
      std::copy(kept.begin(), kept.end(), parameter.mutable_data());
    });
    const bool has_c = kind == RecurrentKind::kLstm;
    const Tensor x = golden(in + "in/x").clone().set_requires_grad();
    const Tensor h0 = golden(in + "in/h0").clone().set_requires_grad();
    Tensor c0;
    if (has_c) c0 = golden(in + "in/c0").clone().set_requires_grad();
    Tensors first;
    for (Index i = 0; i < 2; ++i) {
      const Tensor h = layer_of(h0, i);
      first.push_back(has_c ? concat({h, layer_of(c0, i)}, -1) : h);
    }
    const auto [y, states] = layers(x, first);
    check_near(y, golden(in + "out/y"), values);
    Tensor loss = sum(y * golden(in + "d/y"));
    for (Index i = 0; i < 2; ++i) {
      const Tensors parts = split(states[static_cast<std::size_t>(i)], has_c ? 2 : 1, -1);
      check_near(parts[0], layer_of(golden(in + "out/h"), i), values);
      loss = loss + sum(parts[0] * layer_of(golden(in + "d/h"), i));
      if (has_c) {
        check_near(parts[1], layer_of(golden(in + "out/c"), i), values);
        loss = loss + sum(parts[1] * layer_of(golden(in + "d/c"), i));
      }
    }
    backward(loss);
    check_near(x.grad(), golden(in + "grad/x"), gradients);
    check_near(h0.grad(), golden(in + "grad/h0"), gradients);
    if (has_c) check_near(c0.grad(), golden(in + "grad/c0"), gradients);
    for (const NamedTensor& parameter : parameters(layers)) {
      CAPTURE(parameter.name);
      check_near(parameter.tensor.grad(), golden(in + "grad/" + parameter.name), gradients);
    }
  }
}

TEST_CASE("recurrent: steps one by one, and a sequence in two parts, are the whole sequence") {
  for (const RecurrentKind kind : kKinds) {
    CAPTURE(name_of(kind));
    KeySequence keys(2);
    const Recurrent layers(kind, 3, 5, 2, keys);
    const Tensor x = drawn({2, 7, 3}, 1);
    const auto [whole, last] = layers(x);
    const auto [head, middle] = layers(slice(x, 1, 0, 4));
    const auto [tail, end] = layers(slice(x, 1, 4), middle);
    CHECK_CLOSE(concat({head, tail}, 1), whole);
    CHECK_CLOSE(end[1], last[1]);
    const RecurrentLayer& layer = layers.layers[0];
    Tensor state = layer.first_state(2);
    for (Index t = 0; t < 7; ++t) {
      state = layer.step(reshape(slice(x, 1, t, t + 1), {2, 3}), state);
    }
    CHECK_CLOSE(state, last[0]);
  }
}

TEST_CASE("recurrent: backwards is forwards over the sequence turned round") {
  const auto turned = [](const Tensor& x) {
    Tensors steps = split(x, x.size(1), 1);
    std::reverse(steps.begin(), steps.end());
    return concat(steps, 1);
  };
  for (const RecurrentKind kind : kKinds) {
    KeySequence keys(3), same(3);
    const RecurrentLayer forwards(kind, 3, 5, keys), backwards(kind, 3, 5, same, true);
    const Tensor x = drawn({2, 7, 3}, 1);
    CHECK_CLOSE(turned(backwards(turned(x))), forwards(x));
    CHECK_CLOSE(backwards.last_of(backwards(turned(x))), forwards.last_of(forwards(x)));
  }
}

TEST_CASE("recurrent: padding changes nothing") {
  for (const RecurrentKind kind : kKinds) {
    for (const bool backwards : {false, true}) {
      KeySequence keys(4);
      const RecurrentLayer layer(kind, 3, 5, keys, backwards);
      const Tensor x = drawn({1, 4, 3}, 1), padded = concat({x, drawn({1, 2, 3}, 2)}, 1);
      const IndexTensor mask = indices({{1, 1, 1, 1, 0, 0}});
      CHECK_CLOSE(slice(layer(padded, Tensor(), mask), 1, 0, 4), layer(x));
      CHECK_CLOSE(layer.last_of(layer(padded, Tensor(), mask)), layer.last_of(layer(x)));
    }
  }
}

TEST_CASE("recurrent: begins within 1 / sqrt(H), and names its parameters") {
  KeySequence keys(5);
  Recurrent layers(RecurrentKind::kGru, 3, 16, 2, keys);
  std::string names;
  for (const NamedTensor& parameter : parameters(layers)) {
    names += parameter.name + " ";
    const auto [low, high] = std::minmax_element(parameter.tensor.begin(), parameter.tensor.end());
    CHECK(*low >= -0.25);
    CHECK(*low < -0.2);
    CHECK(*high < 0.25);
    CHECK(*high > 0.2);
  }
  CHECK(names ==
        "layers.0.ih.weight layers.0.ih.bias layers.0.hh.weight layers.0.hh.bias "
        "layers.1.ih.weight layers.1.ih.bias layers.1.hh.weight layers.1.hh.bias ");
}

TEST_CASE("recurrent: wrong use is named") {
  KeySequence keys(6);
  CHECK_FAILS(Recurrent(RecurrentKind::kRnn, 3, 5, 0, keys), "needs at least one layer, got 0");
  const Recurrent layers(RecurrentKind::kRnn, 3, 5, 2, keys);
  CHECK_FAILS(layers(zeros({1, 1, 3}), {zeros({1, 5})}), "a state for each of 2 layers, got 1");
}
