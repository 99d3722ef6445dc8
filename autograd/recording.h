/// @file
/// Switches recording on a thread on or off, and declares the observer of its ops.
#pragma once

#include <span>

#include "autograd/kernels/value_scope.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup graph
/// @{

namespace detail {

/// Is called after each op, after each step of a backward pass, and for the pass's marks "graph"
/// and "accumulate": see inspect/profile.h.
struct Observer {
  virtual void forward(const char* op, std::span<const Tensor> inputs, const Tensor& y) = 0;
  virtual void backward(const char* op, const Tensor& dy, std::span<const Tensor> gradients) = 0;
};
inline constinit thread_local Observer* observer = nullptr;
inline constinit thread_local bool recording = true;

}  // namespace detail

/// Whether ops record themselves in the graph. True at first; see NoGrad.
inline bool is_recording() { return detail::recording; }

/// Sets whether ops on this thread record, while one of these exists.
struct RecordingScope : detail::ValueScope<bool> {
  /// Switches recording on or off.
  [[nodiscard]] explicit RecordingScope(bool on) : ValueScope(detail::recording, on) {}
};

/// While one of these exists, ops on this thread record nothing.
/// @code
/// { NoGrad no_grad; y = model(x); }  // y has no graph
/// @endcode
struct NoGrad : RecordingScope {
  [[nodiscard]] NoGrad() : RecordingScope(false) {}
};

/// @}

}  // namespace gradus
