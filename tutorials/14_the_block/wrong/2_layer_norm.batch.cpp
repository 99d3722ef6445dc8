// rejected: that is batch norm
const Tensor centred = x - mean(x, 0, {.keepdim = true});
const Tensor variance = mean(centred * centred, 0, {.keepdim = true});
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
