// rejected: RED
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  check(tensors.contains(name), "weights: nothing for ", name);
  const Tensor found = tensors.at(name);
  check(found.shape() == x.shape(), name, ": another shape");
  Tensor copy = x;
  copy = found;
  tensors.erase(name);
});
for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
