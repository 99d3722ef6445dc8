// rejected: a sine and its cosine share one
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels; ++i) {
  const double a = double(i / channels) * std::pow(base, -double(i % channels) / double(channels));
  values.push_back(Scalar(i % 2 == 0 ? std::sin(a) : std::cos(a)));
}
return tensor({positions, channels}, values);
