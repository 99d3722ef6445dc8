// rejected: a target of 60 and a source of 90
const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
const auto ask_source = [&](const Tensor& y) {
  const Index most = std::min<Index>(source.size(1), 50);
  const IndexTensor& mask = cross.mask;
  if (most == source.size(1)) return cross_attention(y, source, cross);
  return cross_attention(
      y, slice(source, 1, 0, most),
      {.mask = IndexTensor({1, 1, 1, most}, Tokens(mask.begin(), mask.begin() + most))});
};
const Tensor own = residual(x, norm_1, options, look_back);
return residual(residual(own, norm_2, options, ask_source), norm_3, options, feed_forward);
