// rejected: the angle is a float
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const Scalar a = Scalar(angle(i / channels, i % channels / 2, channels, base));
  values.push_back(i % 2 == 0 ? std::sin(a) : std::cos(a));
}
return tensor({positions, channels}, values);
