// rejected: the gradient of x
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
const auto network = [&](const Tensor& x) { return mlp(x.detach()); };
return residual(residual(x, ln_1, options, attend), ln_2, options, network);
