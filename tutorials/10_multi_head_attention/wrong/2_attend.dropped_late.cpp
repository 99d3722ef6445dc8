// rejected: dropout belongs to the weights
const Tensor mixed = dropout_in_training(matmul(weights, source.values), dropout);
return output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1}));
