// rejected: only causal is handed on
const auto attend = [&](const Tensor& x) { return attn(x, x, {.causal = attention.causal}); };
return residual(residual(x, ln_1, options, attend), ln_2, options, mlp);
