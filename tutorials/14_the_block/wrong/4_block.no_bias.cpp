// rejected: options.bias is lost
const auto attend = [&](const Tensor& x) {
  return attn(x, x, {.mask = attention.mask, .causal = attention.causal});
};
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
