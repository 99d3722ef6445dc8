// rejected: residual() gives attention norm(x)
const auto attend = [&](const Tensor& x) { return attn(ln_1(x), ln_1(x), attention); };
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
