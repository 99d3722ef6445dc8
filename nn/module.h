/// @file
/// What a module is, and all that follows from it: parameter lists, counts, a summary.
///
/// A module is a plain struct. Its members are its parameters and its submodules, and one member
/// function names them once:
/// @code
/// struct Linear {
///   Tensor weight, bias;
///   void fields(auto&& f) { f("weight", weight); f("bias", bias); }
/// };
/// @endcode
/// Parameter lists, counts, saving, loading and freezing all derive from that. What is not an
/// ordinary weight or bias says so: `f.outer("weight", weight)` for a table of embeddings or an
/// output layer, `f.buffer("running_mean", running_mean)` for what is kept but not learned.
/// There is no base class, no registration and no mode: see training.h for what differs between
/// training and use.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup modules
/// @{

/// What a tensor is to its model.
enum class Role {
  kHidden,  ///< a weight or bias inside
  kOuter,   ///< at either end: rows or columns are tokens, places, pixels or labels
  kBuffer,  ///< kept and saved, but not learned: running means
};

/// A parameter or buffer and its name, for example `transformer.h.0.attn.c_attn.weight`.
struct NamedTensor {
  std::string name;           ///< the path of fields to it, joined by dots
  Tensor tensor;              ///< a handle to it
  Role role = Role::kHidden;  ///< what it is there for
};

/// What visit_parameters() hands to `fields`.
template <class Visit>
class FieldVisitor {
 public:
  /// For a module whose names begin with `prefix`, in that role.
  FieldVisitor(Visit& visit, std::string prefix, Role role)
      : visit_(visit), prefix_(std::move(prefix)), role_(role) {}
  /// A parameter or module, or a vector of modules.
  void operator()(const std::string& name, auto& field) { enter(name, field, role_); }
  /// A table of embeddings, or an output layer.
  void outer(const std::string& name, auto& field) { enter(name, field, Role::kOuter); }
  /// A tensor that is not learned.
  void buffer(const std::string& name, Tensor& field) { enter(name, field, Role::kBuffer); }

 private:
  void enter(const std::string& name, auto& field, Role role) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Tensor>) {
      if (!field.defined()) {
        return;
      }
      if constexpr (std::is_invocable_v<Visit&, const std::string&, Tensor&, Role>) {
        visit_(prefix_ + name, field, role);
      } else {
        visit_(prefix_ + name, field);
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

/// Calls `visit(name, Tensor&)` or `visit(name, Tensor&, Role)` for each parameter and buffer below
/// `module`, in the order of the fields. A vector of modules numbers its elements; an undefined
/// tensor (a bias that is left out) is passed over.
template <class Module, class Visit>
void visit_parameters(Module& module, Visit&& visit, const std::string& prefix = "") {
  module.fields(FieldVisitor<std::remove_reference_t<Visit>>(visit, prefix, Role::kHidden));
}

/// The parameters and buffers of a module with their names. The tensors are handles: changing their
/// elements changes the module.
template <class Module>
std::vector<NamedTensor> parameters(Module& module) {
  std::vector<NamedTensor> list;
  visit_parameters(module, [&](const std::string& name, Tensor& parameter, Role role) {
    list.push_back({name, parameter, role});
  });
  return list;
}

/// Those of them that collect a gradient: what an optimiser is given. Frozen parameters and buffers
/// do not.
std::vector<NamedTensor> trainable(const std::vector<NamedTensor>& parameters);

/// The number of numbers in these parameters.
Index count(const std::vector<NamedTensor>& parameters);

/// Freezes (with false) or thaws all parameters of a module: frozen ones collect no gradient.
/// Buffers never do.
template <class Module>
void set_requires_grad(Module& module, bool wanted) {
  visit_parameters(module, [&](const std::string&, Tensor& parameter, Role role) {
    parameter.set_requires_grad(wanted && role != Role::kBuffer);
  });
}

/// Reports a `layer` that was declared and never made, unless `made`.
/// @throws std::invalid_argument naming the layer.
inline void require_made(const char* layer, bool made) {
  check(made, layer,
        ": has no parameters, as it was default-constructed (make it with its sizes, or load it)");
}

/// A table of parameters: name, shape, count, and the total.
std::string summary(const std::vector<NamedTensor>& parameters);

/// @}

}  // namespace gradus
