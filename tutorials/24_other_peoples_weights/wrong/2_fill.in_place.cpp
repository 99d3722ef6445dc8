// rejected: do not write into its old one
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  std::copy(found.begin(), found.end(), x.mutable_data());
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
