// rejected: the output map was left out
return join_heads(matmul(dropout_in_training(weights, dropout), source.values));
