// rejected: takes the options `cross`, not `self`
const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
const auto ask_source = [&](const Tensor& y) { return cross_attention(y, source, self); };
const Tensor own = residual(x, norm_1, options, look_back);
return residual(residual(own, norm_2, options, ask_source), norm_3, options, feed_forward);
