/// @file
/// Modules, and all that is derived from their fields: parameter lists, counts, a summary.
#pragma once

#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/philox.h"
#include "autograd/ops/narrow.h"
#include "nn/named_tensor.h"

namespace gradus {

/// @addtogroup modules
///
/// A module is a plain struct. Its members are its parameters and submodules, and one member
/// function names them:
/// @code
/// struct Net {
///   KeySequence keys{1};  // the seed of all initial weights
///   Linear hidden{2, 32, keys}, out{32, 2, keys};
///   Tensor operator()(const Tensor& x) const { return out(tanh(hidden(x))); }
///   void fields(auto&& f) { f("hidden", hidden); f("out", out); }
/// };
/// @endcode
/// Layers take their initial weights from a KeySequence, so that a seed gives the same model again.
///
/// Declare modules outside of functions: `fields` is a template, and C++ allows no template in a
/// struct that is declared inside a function. The error of g++ is "'auto' parameter not permitted
/// in this context", clang's is "templates cannot be declared inside of a local class".
///
/// Parameter lists, counts, saving, loading and freezing are all derived from `fields`. Tensors
/// that are not ordinary weights or biases are marked: `f.outer("weight", weight)` for an embedding
/// or output layer, `f.buffer("running_mean", running_mean)` for a tensor that is saved but not
/// learned. Modules have no base class, no registration and no mode: see mode.h for the difference
/// between training and use.
/// @{

/// Gives the keys for the random initial values of a model, one after another, from a seed.
/// @code
/// KeySequence keys(1);
/// const Linear first(3, 4, keys), second(4, 2, keys);  // two keys each
/// keys.next().place;                                   // 4
/// @endcode
class KeySequence {
 public:
  /// Starts at the first key of this seed. With `weights` other than kFloat32, layers make
  /// NarrowMatrices without values, into which a model's file is read, and draw no weights.
  explicit KeySequence(std::uint64_t seed, WeightType weights = WeightType::kFloat32)
      : key_{seed, kStep, 0}, weights_(weights) {}
  /// Returns a key that no earlier call has returned.
  RandomKey next() {
    RandomKey key = key_;
    ++key_.place;
    return key;
  }
  /// The type of the weights that layers make.
  WeightType weights() const { return weights_; }

 private:
  static constexpr std::uint32_t kStep = 0xffffffff;  // no training step has this number
  RandomKey key_;
  WeightType weights_;
};

/// The function object that visit_parameters() passes to `fields`. Field is Tensor, or const Tensor
/// for a constant module.
/// @code
/// struct Scaled {
///   Tensor factor = ones({1}).set_requires_grad(true), calls = zeros({1});
///   void fields(auto&& f) { f("factor", factor); f.buffer("calls", calls); }
/// };
/// Scaled scaled;
/// parameters(scaled).size();             // 2
/// trainable(parameters(scaled)).size();  // 1
/// @endcode
template <class Visit, class Field>
class FieldVisitor {
 public:
  /// Puts `prefix` before all names, and gives `role` to all tensors that have no mark.
  FieldVisitor(Visit& visit, std::string prefix, Role role)
      : visit_(visit), prefix_(std::move(prefix)), role_(role) {}
  /// Visits a parameter, a module or a vector of modules. A NarrowMatrix is visited only by a
  /// Visit that takes one, and its Role.
  void operator()(const std::string& name, auto& field) { enter(name, field, role_); }
  /// Visits an embedding or output layer.
  void outer(const std::string& name, auto& field) { enter(name, field, Role::kOuter); }
  /// Visits a tensor that is not learned.
  void buffer(const std::string& name, Tensor& field) { enter(name, field, Role::kBuffer); }

 private:
  void enter(const std::string& name, auto& field, Role role) {
    using Type = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Type, NarrowMatrix>) {
      using Matrix = std::conditional_t<std::is_const_v<Field>, const NarrowMatrix, NarrowMatrix>;
      if constexpr (std::is_invocable_v<Visit&, const std::string&, Matrix&, Role>) {
        if (field.defined()) visit_(prefix_ + name, static_cast<Matrix&>(field), role);
      }
    } else if constexpr (std::is_same_v<Type, Tensor>) {
      if (!field.defined()) {
        return;
      }
      Field& tensor = field;
      if constexpr (std::is_invocable_v<Visit&, const std::string&, Field&, Role>) {
        visit_(prefix_ + name, tensor, role);
      } else {
        visit_(prefix_ + name, tensor);
      }
    } else if constexpr (requires { field.begin(); }) {
      std::size_t i = 0;
      for (auto& element : field) {
        enter(name + "." + std::to_string(i++), element, role);
      }
    } else {
      field.fields(FieldVisitor(visit_, prefix_ + name + ".", role));
    }
  }

  Visit& visit_;
  std::string prefix_;
  Role role_;
};

/// Calls `visit(name, Tensor&)` or `visit(name, Tensor&, Role)` for each parameter and buffer in
/// `module`, in the order of the fields. A constant module gives `const Tensor&`. The elements of a
/// vector of modules are numbered in their names. Undefined tensors, such as a bias that is left
/// out, are skipped, and so are weights in a NarrowMatrix, unless `visit` takes (name,
/// NarrowMatrix&, Role) too.
template <class Module, class Visit>
void visit_parameters(Module& module, Visit&& visit, const std::string& prefix = "") {
  using Field = std::conditional_t<std::is_const_v<Module>, const Tensor, Tensor>;
  // `fields` changes no member; a second, constant `fields` would only repeat the first.
  const_cast<std::remove_const_t<Module>&>(module).fields(
      FieldVisitor<std::remove_reference_t<Visit>, Field>(visit, prefix, Role::kHidden));
}

/// Returns the parameters and buffers of a module with their names. The tensors are handles:
/// changing their elements changes the module.
template <class Module>
std::vector<NamedTensor> parameters(const Module& module) {
  std::vector<NamedTensor> list;
  visit_parameters(module, [&](const std::string& name, const Tensor& parameter, Role role) {
    list.push_back({name, parameter, role});
  });
  return list;
}

/// Returns a copy of a module with its own parameters and buffers, whereas a plain copy has handles
/// to the same ones. Frozen parameters stay frozen, gradients are not copied, and parameters that
/// share their elements within the module share them in the clone too. Tensors that `fields` does
/// not name, such as fixed tables, are shared with the original.
/// @code
/// KeySequence keys(1);
/// Linear model(2, 1, keys);
/// const Linear best = clone(model);  // stays as it is while model learns on
/// model.weight.mutable_data()[0] = 0;
/// best.weight.at({0, 0}) == 0;  // false
/// @endcode
template <class Module>
Module clone(const Module& module) {
  Module copy = module;
  std::map<const Scalar*, Tensor> clones;
  visit_parameters(copy, [&](const std::string&, Tensor& parameter) {
    Tensor& cloned = clones[parameter.data()];
    if (!cloned.defined() || cloned.shape() != parameter.shape()) {
      cloned = parameter.clone().set_requires_grad(parameter.requires_grad());
    }
    parameter = cloned;
  });
  return copy;
}

/// Returns the parameters that require a gradient, for an optimiser: no frozen parameters and no
/// buffers.
std::vector<NamedTensor> trainable(const std::vector<NamedTensor>& parameters);

/// Returns the number of elements in these parameters.
Index count(const std::vector<NamedTensor>& parameters);

/// Freezes (`wanted` false) or unfreezes (true) all parameters of a module. Frozen parameters and
/// buffers collect no gradient.
template <class Module>
void set_requires_grad(Module& module, bool wanted) {
  visit_parameters(module, [&](const std::string&, Tensor& parameter, Role role) {
    parameter.set_requires_grad(wanted && role != Role::kBuffer);
  });
}

/// Describes the first element that is not finite, with its position, such as `NaN at [3]`. Empty
/// if all elements are finite.
std::string not_finite(const Tensor& x);

namespace detail {
/// Checks the output of a model before a choice is made from it: it must hold no NaN and no
/// infinity, except -inf for a value that cannot be chosen.
/// @throws std::runtime_error whose message begins with `what`.
void require_numbers(const char* what, std::span<const Scalar> computed);
/// Checks all elements of a tensor.
inline void require_numbers(const char* what, const Tensor& computed) {
  require_numbers(what, {computed.data(), static_cast<std::size_t>(computed.size())});
}

/// Fails unless `made`, which is false for a layer that was declared but never initialised.
/// @throws std::invalid_argument naming the layer.
inline void require_made(const char* layer, bool made) {
  check(made, layer,
        ": has no parameters, because it was default-constructed (make it with its sizes, or load "
        "it)");
}
}  // namespace detail

/// Returns a table of the parameters as text: name, shape and count of each, and the total.
std::string summary(const std::vector<NamedTensor>& parameters);

/// @}

}  // namespace gradus
