// rejected: take normal ones
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = uniform({in, out}, keys.next(), -scale, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
