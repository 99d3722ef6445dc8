// rejected: the channels of a head must stay next to each other
const Tensor mixed = matmul(dropout_in_training(weights, dropout), source.values);
return output(reshape(permute(mixed, {0, 2, 3, 1}), {x.size(0), x.size(1), -1}));
