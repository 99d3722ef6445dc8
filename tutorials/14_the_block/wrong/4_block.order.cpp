// rejected: attention comes first
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, mlp), ln_2, options, attend);
