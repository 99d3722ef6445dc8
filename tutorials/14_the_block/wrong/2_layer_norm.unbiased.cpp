// rejected: not by C - 1
const Tensor centred = x - mean(x, -1, {.keepdim = true});
const Tensor variance = sum(centred * centred, -1, {.keepdim = true}) / Scalar(x.size(-1) - 1);
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
