// rejected: only output.weight and c_proj.weight are divided
const Scalar small = Scalar(0.02), smaller = small / std::sqrt(Scalar(2 * n_layer));
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  if (x.rank() != 2) return;
  x = normal(x.shape(), keys.next(), 0, smaller).set_requires_grad();
});
