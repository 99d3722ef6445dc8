// rejected: the error does not name the op
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(!input->is_leaf() || gradients[i].shape() == input->shape, node.op, ": another shape");
  add_to(arrived[input], gradients[i]);
}
