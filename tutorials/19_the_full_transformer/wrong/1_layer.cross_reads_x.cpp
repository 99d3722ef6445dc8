// rejected: the cross-attention reads what the self-attention left
const bool pre = options.norm_place == NormPlace::kPre;
const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
const Tensor own = residual(x, norm_1, options, look_back);
const auto ask_source = [&](const Tensor&) {
  return cross_attention(pre ? norm_2(x) : x, source, cross);
};
return residual(residual(own, norm_2, options, ask_source), norm_3, options, feed_forward);
