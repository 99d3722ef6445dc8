// rejected: the pair of column i is number i / 2
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = angle(i / channels, i % channels, channels, base);
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
