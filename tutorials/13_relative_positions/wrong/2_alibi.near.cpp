// rejected: it has no end
std::vector<Scalar> values;
for (int h = 1; h <= heads; ++h) {
  for (const Index d : by_distance(queries, keys, [](Index d) { return std::abs(d); })) {
    values.push_back(Scalar(-std::exp2(-8.0 * h / heads) * double(std::min<Index>(d, 40))));
  }
}
return tensor({heads, queries, keys}, values);
