// rejected: the input is [y, z]
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, z] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  state = decoder.step_from(decoder.ih(concat({z, y}, -1)), state);
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
