// rejected: the first residual() is not given
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
return residual(residual(x, ln_1, LayerOptions{}, attend), ln_2, options, mlp);
