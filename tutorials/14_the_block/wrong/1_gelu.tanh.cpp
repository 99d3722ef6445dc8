// rejected: in the form with tanh, (1 + tanh) is halved
const Scalar c = Scalar(0.7978845608028654), d = Scalar(0.044715);
const auto gate = [=](Scalar v) { return 1 + std::tanh(c * (v + d * v * v * v)); };
return map(
    "gelu", x, [=](Scalar v) { return v * gate(v); }, [=](Scalar v, Scalar) { return gate(v); });
