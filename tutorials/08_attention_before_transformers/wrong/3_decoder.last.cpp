// rejected: attention was not asked
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, unused] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  state = decoder.step_from(decoder.ih(concat({y, last}, -1)), state);
  features.push_back(concat({state, last}, -1));
  if (config.alignment) weights.push_back(a);
}
