// rejected: reset multiplies s[2] alone
const Tensor reset = sigmoid(x[0] + s[0]), keep = sigmoid(x[1] + s[1]);
const Tensor value = tanh(reset * (x[2] + s[2]));
return value + keep * (state - value);
