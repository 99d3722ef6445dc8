// rejected: the scores are no weights
return {weights, matmul(scores(s, h), h)};
