// rejected: it is cut
return {weights, matmul(weights.detach(), h)};
