// rejected: the feed-forward network is missing
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(x, ln_1, options, attend);
