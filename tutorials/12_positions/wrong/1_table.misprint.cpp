// rejected: the misprint
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = double(i / channels) / base * 2 * double(i % channels / 2) / double(channels);
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
