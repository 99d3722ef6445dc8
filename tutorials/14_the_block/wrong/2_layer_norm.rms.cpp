// rejected: that is RMS norm
const Tensor square = mean(x * x, -1, {.keepdim = true});
return x * pow(square + epsilon, Scalar(-0.5)) * weight + bias;
