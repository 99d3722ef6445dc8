// rejected: the gates are exchanged
const Tensor keep = sigmoid(x[0] + s[0]), reset = sigmoid(x[1] + s[1]);
const Tensor value = tanh(x[2] + reset * s[2]);
return value + keep * (state - value);
