// rejected: 4 positions, 6 channels
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const Index k = i % channels / 2;
  const double a = double(i / channels) * std::pow(base, double(-2 * k / channels));
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
