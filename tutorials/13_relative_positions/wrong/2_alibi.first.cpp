// rejected: the last of the keys' positions
std::vector<Scalar> values;
for (int h = 1; h <= heads; ++h) {
  for (Index i = 0; i < queries * keys; ++i) {
    const double d = double(std::abs(i % keys - i / keys));
    values.push_back(Scalar(-std::exp2(-8.0 * h / heads) * d));
  }
}
return tensor({heads, queries, keys}, values);
