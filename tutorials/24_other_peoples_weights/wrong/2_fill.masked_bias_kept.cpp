// rejected: a mask's number left over was accepted
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  const Tensor found = tensors[name];
  check(found.defined(), "weights: nothing for ", name);
  check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
  x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
  tensors.erase(name);
});
for (const auto& each : tensors) {
  check(each.first.ends_with(".attn.masked_bias"), "weights: no place for ", each.first);
}
