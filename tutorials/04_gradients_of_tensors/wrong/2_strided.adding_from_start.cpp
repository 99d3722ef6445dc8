// rejected: the gradient, too, begins at `first`
const Scalar* from = x.data() + (into ? 0 : first);
Scalar* to = y.mutable_data() + 0;
for_each_element(into ? x.shape() : shape, strides, strides,
                 [=](Index i, Index at, Index) { into ? to[at] += from[i] : to[i] = from[at]; });
return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
  return {strided(op, dy, before, strides, first, !into)};
});
