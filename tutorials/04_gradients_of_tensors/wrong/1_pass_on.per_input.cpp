// rejected: the closure was called once for each input
for (std::size_t i = 0; i < node.inputs.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  const Tensor gradient = node.closure(newest.mapped())[i];
  check(gradient.shape() == input->shape, node.op, ": gradient ", i, " has a wrong shape");
  add_to(arrived[input], gradient);
}
