// rejected: a matrix with three users
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has another shape");
  if (gradients[i].rank() > 1 && arrived[input].defined()) continue;
  add_to(arrived[input], gradients[i]);
}
