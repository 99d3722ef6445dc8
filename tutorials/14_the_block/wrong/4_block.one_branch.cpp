// rejected: one branch for both
const auto both = [&](const Tensor& x) { return mlp(attn(x, x, attention)); };
return residual(x, ln_1, options, both);
