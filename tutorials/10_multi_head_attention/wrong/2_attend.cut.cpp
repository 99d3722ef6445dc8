// rejected: it is cut
return output(join_heads(matmul(dropout_in_training(weights, dropout), source.values).detach()));
