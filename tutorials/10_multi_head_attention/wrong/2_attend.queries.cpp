// rejected: do not fit
const Tensor mixed = matmul(dropout_in_training(weights, dropout), q);
return output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
