// rejected: the gradient of x
const NoGrad no_grad;
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
