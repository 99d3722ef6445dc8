// rejected: the root is missing
const Tensor centred = x - mean(x, -1, {.keepdim = true});
const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
return centred / (variance + epsilon) * weight + bias;
