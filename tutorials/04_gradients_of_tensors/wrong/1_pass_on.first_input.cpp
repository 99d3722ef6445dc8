// rejected: da
const Gradients gradients = node.closure(newest.mapped());
if (node.inputs.at(0)) {
  check(gradients[0].shape() == node.inputs[0]->shape, node.op, ": a wrong shape");
  add_to(arrived[node.inputs[0]], gradients[0]);
}
