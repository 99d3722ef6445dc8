// rejected: not finite
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  for (const Scalar n : found) check(std::isfinite(n), name, ": has a number that is not finite");
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
