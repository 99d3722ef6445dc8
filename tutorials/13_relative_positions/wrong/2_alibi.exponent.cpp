// rejected: the exponent is -8 h / H
std::vector<Scalar> values;
for (int h = 1; h <= heads; ++h) {
  for (const Index d : by_distance(queries, keys, [](Index d) { return std::abs(d); })) {
    values.push_back(Scalar(-std::exp2(-1.0 * h) * double(d)));
  }
}
return tensor({heads, queries, keys}, values);
