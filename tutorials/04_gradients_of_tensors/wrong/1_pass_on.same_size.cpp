// rejected: with the right number of elements went unnoticed
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].size() == input->shape.size(), node.op, ": gradient ", i, " is too large");
  add_to(arrived[input], gradients[i]);
}
