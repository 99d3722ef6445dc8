// rejected: a tensor left over that has no numbers
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors)
  check(each.second.size() == 0, "weights: no place for ", each.first);
