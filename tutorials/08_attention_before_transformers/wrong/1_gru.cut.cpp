// rejected: gradient of the state
const Tensor reset = sigmoid(x[0] + s[0]), keep = sigmoid(x[1] + s[1]);
const Tensor value = tanh(x[2] + reset * s[2]);
return value + keep * (state.detach() - value);
