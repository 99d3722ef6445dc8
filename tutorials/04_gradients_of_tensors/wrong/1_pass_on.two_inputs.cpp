// rejected: the third of three inputs
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size() && i < 2; ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has another shape");
  add_to(arrived[input], gradients[i]);
}
