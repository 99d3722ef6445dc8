// rejected: it ends a branch: divide by sqrt(2 L)
const Scalar small = Scalar(0.02), smaller = small;
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const bool ends = name.ends_with("output.weight") || name.ends_with("c_proj.weight");
  if (x.rank() != 2) return;
  x = normal(x.shape(), keys.next(), 0, ends ? smaller : small).set_requires_grad();
});
