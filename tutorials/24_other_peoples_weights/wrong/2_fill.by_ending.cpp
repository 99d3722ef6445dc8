// rejected: the whole name must be the same
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const auto at = std::find_if(tensors.begin(), tensors.end(),
                               [&](const auto& each) { return each.first.ends_with(name); });
  check(at != tensors.end(), "weights: nothing for ", name);
  check(at->second.shape() == x.shape(), name, ": is ", x.shape(), ", not ", at->second.shape());
  x = tensor(x.shape(), {at->second.begin(), at->second.end()}).set_requires_grad();
  tensors.erase(at);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
