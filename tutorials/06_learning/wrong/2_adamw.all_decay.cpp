// rejected: a parameter without a gradient has moved
++steps;
const Scalar beta1 = Scalar(options.beta1), beta2 = Scalar(options.beta2);
const Scalar rate = Scalar(learning_rate / (1 - std::pow(options.beta1, steps)));
const Scalar root = Scalar(1 / std::sqrt(1 - std::pow(options.beta2, steps)));
for (std::size_t k = 0; k < parameters.size(); ++k) {
  Tensor& parameter = parameters[k].tensor;
  const double decay = parameter.rank() > 1 ? options.weight_decay : 0;
  Scalar* w = parameter.mutable_data();
  for (Index i = 0; i < parameter.size(); ++i) w[i] -= Scalar(learning_rate * decay) * w[i];
  const Tensor gradient = parameter.grad();
  if (!gradient.defined()) continue;
  moments[k].resize(gradient.size());
  for (Index i = 0; i < gradient.size(); ++i) {
    const Scalar g = gradient.data()[i] * gradient_scale;
    auto& [m, v] = moments[k][i];
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g * g;
    w[i] -= rate * m / (std::sqrt(v) * root + Scalar(options.epsilon));
  }
}
