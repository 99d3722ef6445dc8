// rejected: its result is dropped
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
residual(x, ln_1, options, attend);
return residual(x, ln_2, options, mlp);
