// rejected: it is cut
const Tensor centred = x.detach() - mean(x.detach(), -1, {.keepdim = true});
const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
