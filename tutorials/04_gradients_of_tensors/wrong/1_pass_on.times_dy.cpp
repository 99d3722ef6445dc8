// rejected: the closure has already multiplied by dy
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has a wrong shape");
  add_to(arrived[input],
         elementwise("mul", gradients[i], newest.mapped(), std::multiplies<Scalar>()));
}
