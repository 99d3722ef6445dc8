// rejected: the minus of the exponent is missing
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a =
      double(i / channels) * std::pow(base, 2.0 * double(i % channels / 2) / double(channels));
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
