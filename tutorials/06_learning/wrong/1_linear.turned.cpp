// rejected: the weight is [in, out]
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(in));
weight = normal({out, in}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
