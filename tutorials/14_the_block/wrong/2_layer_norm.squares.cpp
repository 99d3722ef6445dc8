// rejected: around 10000
const Tensor m = mean(x, -1, {.keepdim = true});
const Tensor variance = mean(x * x, -1, {.keepdim = true}) - m * m;
return (x - m) * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
