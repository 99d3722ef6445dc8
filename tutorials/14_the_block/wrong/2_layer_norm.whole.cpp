// rejected: mean and variance of the whole tensor
const Tensor centred = x - mean(x);
const Tensor variance = mean(centred * centred);
return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
