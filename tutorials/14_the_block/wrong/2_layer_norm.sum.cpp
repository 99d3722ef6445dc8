// rejected: a sum in place of a mean
const Tensor centred = x - mean(x, -1, {.keepdim = true});
const Tensor variance = sum(centred * centred, -1, {.keepdim = true});
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
