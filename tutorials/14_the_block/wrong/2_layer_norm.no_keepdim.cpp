// rejected: a mean without {.keepdim = true}
const Tensor centred = x - mean(x, -1);
const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
