// rejected: not to the values
const Tensor mixed = matmul(weights, dropout_in_training(source.values, dropout));
return output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
