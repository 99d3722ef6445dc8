// rejected: not to the layer's result
const Tensor mixed = matmul(weights, source.values);
return dropout_in_training(output(reshape(permute(mixed, {0, 2, 1, 3}), {x.size(0), x.size(1), -1})), dropout);
