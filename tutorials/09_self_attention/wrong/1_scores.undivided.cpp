// rejected: the scores are not divided
scores = matmul(q, k, {.b = true});
