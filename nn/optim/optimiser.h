/// @file
/// The base class of optimisers, and the global norm of the gradients.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nn/module.h"

namespace gradus {

/// @addtogroup optim
/// @{

/// A list of parameters cut into chunks of at most 32,768 elements, so that a pass over all of them
/// divides evenly among the threads for parameters of any size.
/// @code
/// ParameterChunks({{"a", zeros({40000})}, {"b", zeros({5})}}).chunks().size();  // 3
/// @endcode
class ParameterChunks {
 public:
  /// Elements [begin, end) of parameter number `parameter`.
  struct Chunk {
    std::size_t parameter;  ///< the parameter's number in the list
    Index begin,            ///< the first element
        end;                ///< one past the last
  };

  /// Cuts these parameters.
  explicit ParameterChunks(const std::vector<NamedTensor>& parameters);
  /// All chunks, in the order of the parameters.
  const std::vector<Chunk>& chunks() const { return chunks_; }
  /// The number of elements in all chunks.
  Index elements() const { return elements_; }

 private:
  Index elements_ = 0;
  std::vector<Chunk> chunks_;
};

/// How an optimiser treats one parameter. By default all parameters have the same rate, and only
/// parameters with two or more axes decay: biases and norms do not.
/// @code
/// Tensor w = tensor({1, 2}).set_requires_grad();
/// Sgd optimiser({{"w", w}}, {.learning_rate = 1});
/// optimiser.set_rules([](const NamedTensor&, StepRule& rule) { rule.rate = 0.5; });
/// backward(sum(w));
/// optimiser.step();
/// w;  // [0.5, 1.5]
/// @endcode
struct StepRule {
  double rate = 1;   ///< multiplies the learning rate of a step; 0 leaves the parameter unchanged
  double decay = 1;  ///< multiplies the optimiser's weight decay
};

/// Updates parameters with their gradients: the base class of all optimisers.
///
/// An optimiser holds handles to its parameters. A step leaves parameters without a gradient
/// unchanged; it is an error if none has a gradient. The state that an optimiser keeps between
/// steps is a list of named tensors, for checkpoints.
/// @code
/// KeySequence keys(1);
/// Linear layer(1, 1, keys);
/// Sgd optimiser(parameters(layer), {.learning_rate = 0.2});
/// const Tensor x = tensor({{-1}, {0}, {1}});
/// for (int i = 0; i < 100; ++i) {
///   optimiser.zero_grad();
///   const Tensor error = layer(x) - (3 * x + 2);
///   backward(mean(error * error));
///   optimiser.step();
/// }
/// layer.weight;  // [[3]]
/// layer.bias;  // [2]
/// @endcode
class Optimiser {
 public:
  /// Keeps handles to these parameters, and the rate for step() without a rate.
  /// @throws std::invalid_argument if a parameter does not require a gradient or is listed twice,
  /// or the rate is negative or not finite.
  explicit Optimiser(std::vector<NamedTensor> parameters, std::optional<double> learning_rate = {});
  virtual ~Optimiser() = default;

  /// Does one step with the options' learning rate. Call zero_grad(), backward() and step() in
  /// turn.
  /// @throws std::invalid_argument if the options have no learning rate, or no parameter has a
  /// gradient; then the step does not count.
  void step();
  /// Does one step with this rate in place of the options' rate, for a Schedule.
  /// @param gradient_scale multiplies gradients as they are read: see clip_scale().
  /// @throws std::invalid_argument if no parameter has a gradient, or the rate or the scale is not
  /// finite; then the step does not count.
  void step(Scalar learning_rate, Scalar gradient_scale = 1);

  /// Calls `change` for each parameter, to change its rule; other libraries have parameter groups
  /// for this. Rules are not part of state(): a resumed run sets them again.
  /// @throws std::invalid_argument if a rate or decay is negative or not finite.
  /// @code
  /// KeySequence keys(1);
  /// Linear layer(3, 2, keys);
  /// Sgd optimiser(parameters(layer));
  /// optimiser.set_rules([](const NamedTensor& parameter, StepRule& rule) {
  ///   if (parameter.name == "bias") rule.rate = 2;
  /// });
  /// @endcode
  virtual void set_rules(const std::function<void(const NamedTensor&, StepRule&)>& change);

  /// Clears all gradients.
  void zero_grad();

  /// Whether any parameter has collected a gradient.
  bool has_gradient() const;

  /// Returns handles to the state between steps, with names such as
  /// `exp_avg.transformer.wte.weight`.
  virtual std::vector<NamedTensor> state() const = 0;

  /// The steps done so far. When you resume a run, set this and the state.
  std::int64_t steps() const { return steps_; }
  /// See steps().
  void set_steps(std::int64_t steps) { steps_ = steps; }

  /// The global norm \f$ \sqrt{\sum g^2} \f$ of all gradients, summed in a fixed order. It is
  /// infinite or NaN only if a gradient is: intermediate sums do not overflow if the norm fits into
  /// a double.
  double gradient_norm() const;

 protected:
  /// Does the work of step() after the step was counted: calls update() for every chunk, each on
  /// one thread.
  virtual void apply(Scalar learning_rate, Scalar gradient_scale);

  /// Updates elements [begin, end) of parameter number `i`. `learning_rate` already includes the
  /// rate of its rule.
  virtual void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                      Scalar gradient_scale) = 0;

  /// The elements of a parameter or of its state, for update() to write to. update() may not call
  /// Tensor::mutable_data(), which counts changes and must not run on several threads at once;
  /// step() has counted the change already.
  static Scalar* elements(const Tensor& x) { return const_cast<Scalar*>(x.data()); }
  /// The gradient of parameter number `i`, or nullptr if it has none because it was not used or is
  /// frozen.
  const Tensor* gradient(std::size_t i) const;
  /// The parameters that this optimiser updates.
  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  /// The rule of parameter number `i`.
  const StepRule& rule(std::size_t i) const { return rules_[i]; }
  /// A zero tensor for each parameter.
  std::vector<Tensor> zeros_like_parameters() const;

 private:
  /// Calls `body` with the number of every chunk, on all threads if there are many parameters.
  template <class Body>
  void for_each_chunk(Body&& body) const;

  std::vector<NamedTensor> parameters_;
  std::vector<StepRule> rules_;  // one per parameter
  ParameterChunks chunks_;
  mutable std::vector<double> squares_;  // one per chunk
  std::optional<double> learning_rate_;
  std::int64_t steps_ = 0;
};

namespace detail {
/// Checks that a value is finite and not negative.
/// @throws std::invalid_argument whose message begins with `what`.
void check_factor(const char* what, double value);
}  // namespace detail

/// Returns the factor that reduces gradients with the global norm n = `gradient_norm` to a norm of
/// at most m = `max_norm`. Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent
/// neural networks", 2013. The factor is \f$ m / (n + 10^{-6}) \f$ if n > m, otherwise 1. A
/// max_norm of 0 means no clipping, with factor 1.
/// @throws std::invalid_argument if the norm is negative or not finite, since no factor helps then,
/// or if max_norm is negative or NaN.
Scalar clip_scale(double gradient_norm, double max_norm);

/// @}

}  // namespace gradus
