// rejected: the scale is 1 / sqrt(in)
const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(std::min<Index>(in, 512)));
weight = normal({in, out}, keys.next(), 0, scale).set_requires_grad();
if (with_bias) bias = zeros({out}).set_requires_grad();
