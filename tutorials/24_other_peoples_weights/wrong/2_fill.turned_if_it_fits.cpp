// rejected: compare shapes, not sizes
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  Tensor found = tensors[name];
  if (found.defined() && found.rank() == 2 && found.shape() != x.shape()) {
    found = permute(found, {1, 0});
  }
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
