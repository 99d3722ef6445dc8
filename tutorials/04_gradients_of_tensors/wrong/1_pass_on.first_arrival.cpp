// rejected: not the first to arrive went unnoticed
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  if (!arrived.contains(input)) check(gradients[i].shape() == input->shape, node.op, ": shape");
  add_to(arrived[input], gradients[i]);
}
