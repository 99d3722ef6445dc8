// rejected: more than one key was taken
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = normal({out}, keys.next(), 0, 0).set_requires_grad();
