// rejected: matmul:
return {weights, matmul(weights, h, {.a = true})};
