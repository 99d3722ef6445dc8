// rejected: logits
const std::vector<Tensor> all = split(target_embedding(inputs), inputs.size(1), 1);
for (std::size_t i = 0; i < all.size(); ++i) {
  const Tensor& y = all[i];
  const auto [a, z] = config.alignment ? alignment(state, h) : Alignment::Aligned{{}, last};
  if (i + 1 < all.size()) state = decoder.step_from(decoder.ih(concat({y, z}, -1)), state);
  features.push_back(concat({state, z}, -1));
  if (config.alignment) weights.push_back(a);
}
