// rejected: this is their mean
const Scalar* from = x.data() + (into ? 0 : first);
Scalar* to = y.mutable_data() + (into ? first : 0);
std::vector<Scalar> met(static_cast<std::size_t>(y.size()));
for_each_element(into ? x.shape() : shape, strides, strides,
                 [=](Index i, Index at, Index) { into ? to[at] += from[i] : to[i] = from[at]; });
if (into) {
  for_each_element(x.shape(), strides, strides, [&](Index, Index at, Index) {
    ++met[static_cast<std::size_t>(first + at)];
  });
  for (Index i = 0; i < y.size(); ++i) {
    y.mutable_data()[i] /= std::max<Scalar>(1, met[static_cast<std::size_t>(i)]);
  }
}
return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
  return {strided(op, dy, before, strides, first, !into)};
});
