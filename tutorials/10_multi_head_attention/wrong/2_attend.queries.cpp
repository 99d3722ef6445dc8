// rejected: do not fit
return output(join_heads(matmul(dropout_in_training(weights, dropout), q)));
