// rejected: not i / positions
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = angle(i / positions, i % channels / 2, channels, base);
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
