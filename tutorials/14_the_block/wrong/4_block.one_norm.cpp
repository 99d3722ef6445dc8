// rejected: ln_1 is used twice
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, attend), ln_1, options, mlp);
