// rejected: RED
auto next = tensors.begin();
visit_parameters(model, [&](const std::string& name, Tensor& x) {
  check(next != tensors.end() && next->second.size() == x.size(), name, ": has no tensor");
  x = Tensor(next->second, x.shape()).set_requires_grad();
  ++next;
});
