// rejected: variances add
const Scalar scale = 1 / static_cast<Scalar>(in);
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
