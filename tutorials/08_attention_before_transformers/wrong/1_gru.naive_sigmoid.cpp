// rejected: got
const auto gate = [](const Tensor& t) { return exp(t) / (exp(t) + 1); };
const Tensor reset = gate(x[0] + s[0]), keep = gate(x[1] + s[1]);
const Tensor value = tanh(x[2] + reset * s[2]);
return value + keep * (state - value);
