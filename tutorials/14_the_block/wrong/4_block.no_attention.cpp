// rejected: attention is missing
return residual(x, ln_2, options, mlp);
