// rejected: 1.702 is of another approximation
const auto gate = [=](Scalar v) { return 1 / (1 + std::exp(Scalar(-1.702) * v)); };
return map(
    "gelu", x, [=](Scalar v) { return v * gate(v); },
    [=](Scalar v, Scalar y) { return gate(v) + y * (1 - gate(v)) * Scalar(1.702); });
