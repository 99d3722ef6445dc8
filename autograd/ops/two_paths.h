/// @file
/// The choice between the two paths of an op: a fused kernel, or a composition of other ops.
///
/// Users call one name, for example layer_norm(). The op calls uses_fused() and either runs its
/// kernel or calls other ops. Both give the same numbers up to rounding.
#pragma once

#include <vector>

#include "autograd/graph.h"

namespace gradus {

/// @addtogroup graph
/// @{

namespace detail {
inline constinit thread_local bool takes_fused = true;
}

/// Whether ops on this thread take their fused path if they have one. True at first.
inline bool uses_fused() { return detail::takes_fused; }

/// While one of these exists, ops on this thread take their composed path: slower, but with each
/// step visible in the graph. For teaching, and for tests that compare the two paths.
/// @code
/// { ComposedOps composed; y = layer_norm(x, weight); }  // mean, variance, sqrt, div, mul
/// @endcode
struct ComposedOps : detail::ValueScope<bool> {
  [[nodiscard]] ComposedOps() : ValueScope(detail::takes_fused, false) {}
};

namespace detail {

/// Computes the gradients of a fused op whose backward is itself recorded (under create_graph):
/// `compose` computes the op again with ops that can be differentiated again, and a backward pass
/// goes through these ops.
/// @param inputs the op's inputs, in its order, with their nodes
/// @param compose computes the op's result from a vector of tensors like `inputs`
template <class Compose>
Gradients composed_gradients(const Tensor& dy, const Wanted& wanted,
                             const std::vector<Tensor>& inputs, Compose compose) {
  // Each input gets a new node after its own: one input may have been computed from another, and
  // only this op's share of its gradient is wanted here.
  std::vector<Tensor> own, asked;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    own.push_back(
        !wanted[i] ? x : record("input", x.detach(), {x}, [](const Tensor& dx) { return dx; }));
    if (wanted[i]) {
      asked.push_back(own.back());
    }
  }
  const ComposedOps composed;
  const std::vector<Tensor> found =
      grad({compose(own)}, asked, {.create_graph = true, .gradients = {dy}});
  Gradients gradients(inputs.size());
  for (std::size_t i = 0, at = 0; i < inputs.size(); ++i) {
    if (wanted[i]) {
      gradients[i] = found[at++];
    }
  }
  return gradients;
}

/// The gradient of a fused op of one input whose backward is itself recorded.
template <class Compose>
Tensor composed_gradient(const Tensor& dy, const Tensor& x, Compose compose) {
  const char wanted = 1;
  return composed_gradients(dy, {.inputs = {&wanted, 1}}, {x},
                            [&](const auto& in) { return compose(in[0]); })[0];
}

}  // namespace detail

/// @}

namespace detail {

/// Returns a tensor for a gradient if it is wanted, otherwise an undefined tensor.
inline Tensor room_if(bool wanted, const Shape& shape) { return wanted ? Tensor(shape) : Tensor(); }

/// Returns the elements of `x`, or nullptr if `x` is undefined, for kernels with optional inputs.
inline const Scalar* data_of(const Tensor& x) { return x.defined() ? x.data() : nullptr; }

/// Returns the elements of `x` for writing, or nullptr if `x` is undefined.
inline Scalar* room_of(const Tensor& x) { return x.defined() ? x.mutable_data() : nullptr; }

}  // namespace detail

}  // namespace gradus
