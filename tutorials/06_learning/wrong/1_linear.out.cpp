// rejected: not over `out`
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(out));
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
