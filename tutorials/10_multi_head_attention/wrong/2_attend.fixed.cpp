// rejected: [8, 27] and [12, 12] do not fit
const Tensor mixed = matmul(dropout_in_training(weights, dropout), source.values);
return output(reshape(permute(mixed, {0, 2, 1, 3}), {2, 4, -1}));
