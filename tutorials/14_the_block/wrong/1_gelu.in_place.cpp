// rejected: has changed
const Scalar c = Scalar(2 * 0.7978845608028654), d = Scalar(0.044715);
const auto gate = [=](Scalar v) { return 1 / (1 + std::exp(-c * (v + d * v * v * v))); };
Tensor same = x;
std::transform(x.begin(), x.end(), same.mutable_data(), [=](Scalar v) { return v * gate(v); });
return same;
