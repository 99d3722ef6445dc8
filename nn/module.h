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
/// Parameter lists, counts, saving, loading and freezing all derive from that.
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

/// A parameter and its name, for example `transformer.h.0.attn.c_attn.weight`.
struct NamedTensor {
  std::string name;  ///< the path of fields to it, joined by dots
  Tensor tensor;     ///< a handle to it
};

/// Calls `visit(name, Tensor&)` for each parameter below `module`, in the order of the fields. A
/// vector of modules numbers its elements; an undefined tensor (a bias that is left out) is passed
/// over.
template <class Module, class Visit>
void visit_parameters(Module& module, Visit&& visit, const std::string& prefix = "") {
  module.fields([&](const std::string& name, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, Tensor>) {
      if (field.defined()) {
        visit(prefix + name, field);
      }
    } else if constexpr (requires { field.begin(); }) {
      std::size_t i = 0;
      for (auto& element : field) {
        visit_parameters(element, visit, prefix + name + "." + std::to_string(i++) + ".");
      }
    } else {
      visit_parameters(field, visit, prefix + name + ".");
    }
  });
}

/// The parameters of a module with their names. The tensors are handles: changing their elements
/// changes the module.
template <class Module>
std::vector<NamedTensor> parameters(Module& module) {
  std::vector<NamedTensor> list;
  visit_parameters(module, [&](const std::string& name, Tensor& parameter) {
    list.push_back({name, parameter});
  });
  return list;
}

/// Those of them that collect a gradient: what an optimiser is given. Frozen parameters and a batch
/// norm's running means do not.
std::vector<NamedTensor> trainable(const std::vector<NamedTensor>& parameters);

/// The number of numbers in these parameters.
Index count(const std::vector<NamedTensor>& parameters);

/// Freezes (with false) or thaws all parameters of a module: frozen ones collect no gradient.
template <class Module>
void set_requires_grad(Module& module, bool wanted) {
  visit_parameters(
      module, [&](const std::string&, Tensor& parameter) { parameter.set_requires_grad(wanted); });
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
