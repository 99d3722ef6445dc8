// rejected: the gradient of argument 1
const Tensor centred = x - mean(x, -1, {.keepdim = true});
const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
return (x - mean(x, -1, {.keepdim = true}).detach()) *
           pow(variance + epsilon, Scalar(-0.5)).detach() * weight +
       bias;
