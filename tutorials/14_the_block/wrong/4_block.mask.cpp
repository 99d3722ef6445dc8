// rejected: the mask is lost
const auto attend = [&](const Tensor& x) { return attn(x, x); };
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
