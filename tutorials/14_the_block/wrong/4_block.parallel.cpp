// rejected: the network reads x
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(x, ln_1, options, attend) + residual(x, ln_2, options, mlp) - x;
