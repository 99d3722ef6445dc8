// rejected: every step began at s_0
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, z] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  state = decoder.step_from(decoder.ih(concat({y, z}, -1)), last);
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
