// rejected: padded on the left, one token in the middle
std::vector<std::int32_t> mask;
bool ended = false;
for (const std::int32_t token : tokens) {
  if (std::ssize(mask) % tokens.size(1) == 0) ended = false;
  ended = ended || token == padding;
  mask.push_back(!ended);
}
return IndexTensor({tokens.size(0), 1, 1, tokens.size(1)}, mask);
