// rejected: dropout of the weights is missing
const Tensor mixed = matmul(weights, source.values);
return output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
