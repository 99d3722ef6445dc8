// rejected: dropout of the weights is missing
return output(join_heads(matmul(weights, source.values)));
