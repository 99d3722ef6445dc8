/// @file
/// Compares ten steps of each optimiser with PyTorch's (see tests/golden/README.md).

#include <memory>

#include "autograd/ops/shape.h"
#include "nn/files/safetensors.h"
#include "nn/names.h"
#include "nn/optim/make_optimiser.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

const Tensor& golden(const std::string& name) {
  static const Safetensors file =
      load_safetensors(std::string(GRADUS_GOLDEN_DIR) + "/parts.safetensors");
  return file.tensors.at("optim/" + name);
}

Tensor step_of(const std::string& name, Index step) {
  const Tensor all = golden(name);
  return reshape(slice(all, 0, step, step + 1), {all.size(1), all.size(2)});
}

/// Compares ten steps of this kind with this rate with the steps in the case `name`.
void check_steps(const std::string& name, OptimiserKind kind, Scalar rate,
                 const OptimiserOptions& options = {}) {
  CAPTURE(name);
  const double tolerance = kIsDouble ? 1e-11 : 1e-5;
  std::vector<NamedTensor> parameters;
  for (const char* parameter : {"wide", "tall"}) {
    const Tensor start = golden(std::string("start/") + parameter);
    parameters.push_back({parameter, start.clone().set_requires_grad()});
  }
  const auto optimiser = make_optimiser(kind, parameters, options);
  for (Index step = 0; step < 10; ++step) {
    CAPTURE(step);
    for (auto& [parameter, tensor, role] : parameters) {
      tensor.set_grad(step_of("grad/" + parameter, step));
    }
    optimiser->step(rate);
    for (const auto& [parameter, tensor, role] : parameters) {
      CHECK_CLOSE(tensor, step_of(name + "/" + parameter, step), tolerance);
    }
  }
}

}  // namespace

TEST_CASE("optimisers: ten steps are PyTorch's") {
  using enum OptimiserKind;
  const Scalar tenth = Scalar(0.1), hundredth = Scalar(0.01);
  check_steps("sgd", kSgd, tenth);
  check_steps("momentum", kMomentum, tenth, {.sgd = {.momentum = 0.9}});
  check_steps("nesterov", kNesterov, tenth, {.sgd = {.momentum = 0.9}});
  check_steps("rmsprop", kRmsprop, hundredth, {.rmsprop = {.alpha = 0.9, .epsilon = 1e-3}});
  check_steps("adam", kAdam, tenth, {.adam = {.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3}});
  check_steps("adam_decay", kAdam, tenth, {.adam = {.weight_decay = 0.5}});
  check_steps("adamw", kAdamw, tenth,
              {.adamw = {.beta1 = 0.8, .beta2 = 0.95, .weight_decay = 0.5}});
}

TEST_CASE("optimisers: ten steps of Muon equal its description") {
  check_steps("muon", OptimiserKind::kMuon, Scalar(0.1));
}

TEST_CASE("optimisers: state goes from one to another of its kind, whatever the kind") {
  const Tensor start = golden("start/wide");
  for (std::size_t k = 0; k < names_of(OptimiserKind{}).size(); ++k) {
    const auto kind = static_cast<OptimiserKind>(k);
    CAPTURE(name_of(kind));
    Tensor a = start.clone().set_requires_grad();
    const auto first = make_optimiser(kind, {{"a", a}});
    a.set_grad(step_of("grad/wide", 0));
    first->step(Scalar(0.1));
    Tensor b = a.clone().set_requires_grad();
    const auto second = make_optimiser(kind, {{"a", b}});
    second->set_steps(first->steps());
    for (std::size_t i = 0; i < first->state().size(); ++i) {
      const Tensor from = first->state()[i].tensor;
      std::copy(from.begin(), from.end(), second->state()[i].tensor.mutable_data());
    }
    a.set_grad(step_of("grad/wide", 1));
    b.set_grad(step_of("grad/wide", 1));
    first->step(Scalar(0.1));
    second->step(Scalar(0.1));
    CHECK(a.values() == b.values());
  }
}

TEST_CASE("optimisers: wrong settings are named") {
  const Tensor w = zeros({1}).set_requires_grad();
  CHECK_FAILS(Sgd({{"w", w}}, {.nesterov = true}), "nesterov needs momentum above 0, got 0");
  CHECK_FAILS(Rmsprop({{"w", w}}, {.alpha = 1}), "rmsprop: alpha must be in [0, 1), got 1");
  CHECK_FAILS(Rmsprop({{"w", w}}, {.epsilon = 0}), "epsilon must be above 0 and finite, got 0");
  CHECK_FAILS(Adam({{"w", w}}, {.beta1 = 1}), "adam: betas must be in [0, 1), got 1 and 0.999");
}
