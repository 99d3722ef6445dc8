// rejected: only after a signed integer overflow
const Index begin = whole(header, name + "/data_offsets/0");
const Index end = whole(header, name + "/data_offsets/1"), bytes = std::ssize(data);
const std::string dtype = value_at(header, name + "/dtype");
check(dtype == "F32", name, ": can read F32, not ", dtype);
check(begin <= end && end <= bytes, name, ": bytes ", begin, " to ", end, " of ", bytes);
check(value_at(header, name + "/shape") == "[]", name, ": has no shape");
Shape shape;
Index product = 1;
for (int i = 0; header.contains(name + "/shape/" + std::to_string(i)); ++i) {
  const Index n = whole(header, name + "/shape/" + std::to_string(i));
  shape.push_back(n);
  if (n == 0) continue;
  const Index before = product;
  product *= n;
  check(product / n == before && product <= kMost, name, ": ", shape, " is too large");
}
check(4 * shape.size() == end - begin, name, ": ", shape, " in ", end - begin, " bytes");
std::vector<float> numbers(shape.size());
std::copy_n(data.data() + begin, end - begin, reinterpret_cast<char*>(numbers.data()));
return tensor(shape, {numbers.begin(), numbers.end()});
