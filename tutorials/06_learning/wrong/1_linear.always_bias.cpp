// rejected: with_bias is false
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
bias = zeros({out}).set_requires_grad();
