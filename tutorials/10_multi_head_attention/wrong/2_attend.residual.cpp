// rejected: x was added
const Tensor mixed = matmul(dropout_in_training(weights, dropout), source.values);
return x + output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
