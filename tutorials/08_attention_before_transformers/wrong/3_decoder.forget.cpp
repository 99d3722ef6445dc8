// rejected: weights
const Tensor h_0 = last;
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, z] = config.alignment ? alignment(h_0, h) : Alignment::Aligned{{}, last};
  const Tensor next = decoder.step_from(decoder.ih(concat({y, z}, -1)), h_0);
  features.push_back(concat({next, z}, -1));
  if (config.alignment) weights.push_back(a);
}
