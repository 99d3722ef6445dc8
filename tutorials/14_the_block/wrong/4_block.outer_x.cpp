// rejected: attention reads the x outside
const auto attend = [&](const Tensor&) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
