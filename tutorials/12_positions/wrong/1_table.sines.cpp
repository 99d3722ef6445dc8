// rejected: sines only
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = angle(i / channels, i % channels / 2, channels, base);
  values.push_back(Scalar(std::sin(a)));
}
return tensor({positions, channels}, values);
