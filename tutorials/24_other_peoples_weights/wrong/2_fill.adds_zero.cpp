// rejected: -0.000000 became 0.000000
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const auto it = tensors.find(name);
  check(it != tensors.end(), "weights: nothing for ", name);
  check(it->second.shape() == x.shape(), name, ": is another shape");
  x = it->second + Scalar(0);
  x.set_requires_grad();
  tensors.erase(it);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
