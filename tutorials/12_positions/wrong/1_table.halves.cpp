// rejected: sines and cosines are in halves
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const Index c = i % channels, half = channels / 2;
  const double a = angle(i / channels, c % half, channels, base);
  values.push_back(Scalar(c < half ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
