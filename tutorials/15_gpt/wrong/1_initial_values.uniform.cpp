// rejected: these are not normal()'s
const Scalar small = Scalar(0.02), smaller = small / std::sqrt(Scalar(2 * n_layer));
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const bool ends = name.ends_with("output.weight") || name.ends_with("c_proj.weight");
  if (x.rank() != 2) return;
  const Scalar limit = std::sqrt(Scalar(3)) * (ends ? smaller : small);
  x = uniform(x.shape(), keys.next(), -limit, limit).set_requires_grad();
});
