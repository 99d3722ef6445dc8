// rejected: attention is missing, or its result is dropped
return residual(x, ln_2, options, mlp);
