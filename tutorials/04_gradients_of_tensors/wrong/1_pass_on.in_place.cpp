// rejected: another input shares it
const Gradients gradients = node.closure(newest.mapped());
for (std::size_t i = 0; i < gradients.size(); ++i) {
  const std::shared_ptr<Node>& input = node.inputs.at(i);
  if (!input) continue;
  check(gradients[i].shape() == input->shape, node.op, ": gradient ", i, " has a wrong shape");
  Tensor& sum = arrived[input];
  if (!sum.defined()) {
    sum = gradients[i];
    continue;
  }
  for (Index k = 0; k < sum.size(); ++k) sum.mutable_data()[k] += gradients[i].data()[k];
}
