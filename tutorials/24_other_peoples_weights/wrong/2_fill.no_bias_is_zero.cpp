// rejected: no kind of them is 0 or 1 by itself
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  Tensor found = tensors[name];
  if (!found.defined() && name.ends_with(".bias")) found = zeros(x.shape());
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
