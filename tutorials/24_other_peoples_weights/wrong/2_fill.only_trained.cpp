// rejected: a parameter that needed no gradient kept its numbers
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  if (!x.requires_grad()) {
    tensors.erase(name);
    return;
  }
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
