// rejected: the plain average of h
for (const Tensor& y : split(target_embedding(inputs), inputs.size(1), 1)) {
  const auto [a, unused] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  const Tensor z = config.alignment ? mean(h, 1, {.keepdim = true}) : last;
  state = decoder.step_from(decoder.ih(concat({y, z}, -1)), state);
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
