// rejected: was changed or lost
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has a wrong shape");
  if (std::abs(*gradients[i].data()) > 1e6) continue;
  add_to(arrived[input], gradients[i]);
}
