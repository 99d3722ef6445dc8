// rejected: ln_1 and ln_2 are swapped
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_2, options, attend), ln_1, options, mlp);
