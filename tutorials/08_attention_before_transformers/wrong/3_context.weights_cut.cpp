// rejected: the weights that you return are cut
return {weights.detach(), matmul(weights, h)};
