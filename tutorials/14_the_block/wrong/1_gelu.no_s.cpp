// rejected: the factor s is missing
const Scalar c = Scalar(2 * 0.7978845608028654), d = Scalar(0.044715);
const auto gate = [=](Scalar v) { return 1 / (1 + std::exp(-c * (v + d * v * v * v))); };
return map(
    "gelu", x, [=](Scalar v) { return v * gate(v); },
    [=](Scalar v, Scalar) { return gate(v) + v * (1 - gate(v)) * c * (1 + 3 * d * v * v); });
