// rejected: residual() gives the network norm(x)
const auto attend = [&](const Tensor& x) { return attn(x, x, attention); };
const auto network = [&](const Tensor& x) { return mlp(ln_2(x)); };
return residual(residual(x, ln_1, options, attend), ln_2, options, network);
