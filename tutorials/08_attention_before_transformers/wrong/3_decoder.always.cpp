// rejected: no attention
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, z] = alignment(state, h);
  state = decoder.step_from(decoder.ih(concat({y, z}, -1)), state);
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
