// rejected: dropout belongs to the weights
return output(join_heads(dropout_in_training(matmul(weights, source.values), dropout)));
