// rejected: the weight collects no gradient
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = normal({in, out}, keys.next(), 0, scale);
if (with_bias) bias = zeros({out}).set_requires_grad();
