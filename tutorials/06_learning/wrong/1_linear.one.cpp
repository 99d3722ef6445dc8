// rejected: has spread sqrt(in)
const Scalar scale = 1;
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
