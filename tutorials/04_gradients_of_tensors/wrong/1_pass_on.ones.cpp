// rejected: was not given the gradient that has arrived
const Gradients gradients = node.closure(full(node.shape, 1));
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has a wrong shape");
  add_to(arrived[input], gradients[i]);
}
