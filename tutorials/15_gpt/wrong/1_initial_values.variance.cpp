// rejected: takes a standard deviation, not a variance
const Scalar small = Scalar(0.02), smaller = small / std::sqrt(Scalar(2 * n_layer));
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const bool ends = name.ends_with("output.weight") || name.ends_with("c_proj.weight");
  if (x.rank() != 2) return;
  x = normal(x.shape(), keys.next(), 0, ends ? smaller * smaller : small * small)
          .set_requires_grad();
});
