// rejected: epsilon belongs inside the root
const Tensor centred = x - mean(x, -1, {.keepdim = true});
const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
return centred / (pow(variance, Scalar(0.5)) + epsilon) * weight + bias;
