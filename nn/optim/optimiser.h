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

/// A list of parameters cut into chunks of bounded size, so that one pass over all of them divides
/// evenly among the threads, whatever the parameters' sizes.
/// @code
/// ParameterChunks({{"a", zeros({40000})}, {"b", zeros({5})}}).chunks().size();  // 3
/// @endcode
class ParameterChunks {
 public:
  /// Elements [begin, end) of parameter number `parameter`.
  struct Chunk {
    std::size_t parameter;  ///< its number in the list
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

/// How an optimiser treats one parameter. At first all have the same rate, and matrices decay:
/// parameters with two or more axes, not biases and norms.
/// @code
/// Tensor w = tensor({1, 2}).set_requires_grad();
/// Sgd optimiser({{"w", w}}, {.learning_rate = 1});
/// optimiser.set_rules([](const NamedTensor&, StepRule& rule) { rule.rate = 0.5; });
/// backward(sum(w));
/// optimiser.step();
/// w;  // [0.5, 1.5]
/// @endcode
struct StepRule {
  double rate = 1;   ///< times the learning rate of a step; 0 leaves the parameter as it is
  double decay = 1;  ///< times the optimiser's weight decay
};

/// Updates parameters by their gradients.
///
/// Holds handles to its parameters. Parameters without a gradient are left unchanged, as long as at
/// least one has a gradient. The state that an optimiser keeps between steps is named tensors, for
/// checkpoints.
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
  /// Keeps handles to these parameters, and the rate of a step() that is given none.
  /// @throws std::invalid_argument if one does not require a gradient, or is listed twice, or the
  /// rate is negative or not finite.
  explicit Optimiser(std::vector<NamedTensor> parameters, std::optional<double> learning_rate = {});
  virtual ~Optimiser() = default;

  /// Does one step with the options' learning rate. Call zero_grad(), backward() and step() in
  /// turn.
  /// @throws std::invalid_argument if the options have none, or no parameter has a gradient; then
  /// the step does not count.
  void step();
  /// The same with this rate, whatever the options have: for a Schedule.
  /// @param gradient_scale multiplies gradients as they are read: see clip_scale().
  /// @throws std::invalid_argument if no parameter has a gradient, or the rate or the scale is not
  /// finite; then the step does not count.
  void step(Scalar learning_rate, Scalar gradient_scale = 1);

  /// Lets a function change the rule of each parameter, which is what other libraries call
  /// parameter groups. Rules are not part of state(): a run that is resumed sets them again.
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

  /// The state between steps, for example `exp_avg.transformer.wte.weight`; handles.
  virtual std::vector<NamedTensor> state() const = 0;

  /// The steps done so far. Set this, with the state, when a run is resumed.
  std::int64_t steps() const { return steps_; }
  /// See steps().
  void set_steps(std::int64_t steps) { steps_ = steps; }

  /// The global norm \f$ \sqrt{\sum g^2} \f$ of all gradients, summed in a fixed order. It does not
  /// overflow as long as it fits into a double. It is infinite or NaN only if a gradient is.
  double gradient_norm() const;

 protected:
  /// The work of step() after counting it: calls update() for every chunk, each on one thread.
  virtual void apply(Scalar learning_rate, Scalar gradient_scale);

  /// Updates elements [begin, end) of parameter number `i`, whose rule the rate has in it already.
  virtual void update(std::size_t i, Index begin, Index end, Scalar learning_rate,
                      Scalar gradient_scale) = 0;

  /// Where update() writes elements of a parameter or of its state. step() has counted the change:
  /// Tensor::mutable_data() counts, which is not for several threads at once.
  static Scalar* elements(const Tensor& x) { return const_cast<Scalar*>(x.data()); }
  /// The gradient of parameter number `i`, or nullptr if there is none: the parameter was not used
  /// or is frozen.
  const Tensor* gradient(std::size_t i) const;
  /// The parameters it updates.
  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  /// The rule of parameter number `i`.
  const StepRule& rule(std::size_t i) const { return rules_[i]; }
  /// A zero tensor for each parameter.
  std::vector<Tensor> zeros_like_parameters() const;

 private:
  /// Calls `body` for every chunk's number, on all threads if there are many parameters.
  template <class Body>
  void for_each_chunk(Body&& body) const;

  std::vector<NamedTensor> parameters_;
  std::vector<StepRule> rules_;  // of each parameter
  ParameterChunks chunks_;
  mutable std::vector<double> squares_;  // of each chunk
  std::optional<double> learning_rate_;
  std::int64_t steps_ = 0;
};

namespace detail {
/// Reports that `what` is negative or not finite.
void check_factor(const char* what, double value);
}  // namespace detail

/// The factor that reduces gradients of this norm n to a norm of at most m = `max_norm`: clipping
/// by global norm (Pascanu, Mikolov and Bengio, 2013). It is \f$ m / (n + 10^{-6}) \f$ if n > m,
/// else 1; also 1 if max_norm is 0, which means no clipping.
/// @throws std::invalid_argument if the norm is negative or not finite, as no factor helps then, or
/// max_norm is negative or NaN.
Scalar clip_scale(double gradient_norm, double max_norm);

/// @}

}  // namespace gradus
