// rejected: the weights mix the values, not the keys
return output(join_heads(matmul(dropout_in_training(weights, dropout), source.keys)));
