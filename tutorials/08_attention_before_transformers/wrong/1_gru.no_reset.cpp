// rejected: reset is not used
const Tensor keep = sigmoid(x[1] + s[1]), value = tanh(x[2] + s[2]);
return value + keep * (state - value);
