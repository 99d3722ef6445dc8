// rejected: the second residual() is not given
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, attend), ln_2, LayerOptions{}, mlp);
