// rejected: half the width
std::vector<Scalar> values;
for (Index i = 0; i < positions * channels / 2; ++i) {
  values.push_back(Scalar(std::sin(angle(i / (channels / 2), i % (channels / 2), channels, base))));
}
return tensor({positions, channels / 2}, values);
