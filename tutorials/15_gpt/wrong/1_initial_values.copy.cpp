// rejected: it is as Embedding made it
const Scalar small = Scalar(0.02), smaller = small / std::sqrt(Scalar(2 * n_layer));
for (NamedTensor x : parameters(model)) {
  const bool ends = x.name.ends_with("output.weight") || x.name.ends_with("c_proj.weight");
  if (x.tensor.rank() == 2)
    x.tensor = normal(x.tensor.shape(), keys.next(), 0, ends ? smaller : small);
}
