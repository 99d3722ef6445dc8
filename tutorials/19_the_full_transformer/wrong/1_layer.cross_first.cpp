// rejected: the self-attention comes first
const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
const auto ask_source = [&](const Tensor& y) { return cross_attention(y, source, cross); };
const Tensor y = residual(x, norm_2, options, ask_source);
return residual(residual(y, norm_1, options, look_back), norm_3, options, feed_forward);
