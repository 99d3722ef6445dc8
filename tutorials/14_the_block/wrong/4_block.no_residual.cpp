// rejected: the network has no residual
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return mlp(residual(x, ln_1, options, attend));
