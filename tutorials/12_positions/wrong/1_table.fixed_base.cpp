// rejected: base 100
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = angle(i / channels, i % channels / 2, channels, 10000);
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
