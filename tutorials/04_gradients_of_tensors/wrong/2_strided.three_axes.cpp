// rejected: the axes of [2, 3, 5, 7] rotated
const Shape& small = into ? x.shape() : shape;
const Index n[3] = {small.rank() > 2 ? small[-3] : 1, small.rank() > 1 ? small[-2] : 1,
                    small.rank() > 0 ? small[-1] : 1};
const auto stride = [&](int axis) {
  return small.rank() >= axis ? strides[strides.size() - static_cast<std::size_t>(axis)] : 0;
};
for (Index i = 0; i < n[0] * n[1] * n[2]; ++i) {
  const Index at =
      first + i / (n[1] * n[2]) * stride(3) + i / n[2] % n[1] * stride(2) + i % n[2] * stride(1);
  into ? y.mutable_data()[at] += x.data()[i] : y.mutable_data()[i] = x.data()[at];
}
return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
  return {strided(op, dy, before, strides, first, !into)};
});
