// rejected: heads were joined by a reshape alone
const Tensor mixed = matmul(dropout_in_training(weights, dropout), source.values);
return output(reshape(mixed, {x.size(0), x.size(1), -1}));
