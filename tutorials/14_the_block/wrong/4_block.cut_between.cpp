// rejected: the gradient of x
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, attend).detach(), ln_2, options, mlp);
