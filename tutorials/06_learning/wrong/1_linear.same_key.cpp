// rejected: each takes the next key
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = normal({in, out}, keys.key, 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
