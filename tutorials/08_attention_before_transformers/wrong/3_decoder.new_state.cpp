// rejected: weights
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [b, before] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  state = decoder.step_from(decoder.ih(concat({y, before}, -1)), state);
  const auto [a, z] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
