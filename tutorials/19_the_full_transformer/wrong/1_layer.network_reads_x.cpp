// rejected: the network reads what the cross-attention left
const bool pre = options.norm_place == NormPlace::kPre;
const auto look_back = [&](const Tensor& y) { return self_attention(y, y, self); };
const auto ask_source = [&](const Tensor& y) { return cross_attention(y, source, cross); };
const Tensor own = residual(x, norm_1, options, look_back);
const auto network = [&](const Tensor&) { return feed_forward(pre ? norm_3(x) : x); };
return residual(residual(own, norm_2, options, ask_source), norm_3, options, network);
