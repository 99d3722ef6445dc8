// rejected: not finite
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  std::vector<Scalar> numbers(found.begin(), found.end());
  for (Scalar& n : numbers) n = std::isfinite(n) ? n : 0;
  x = tensor(x.shape(), numbers).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
