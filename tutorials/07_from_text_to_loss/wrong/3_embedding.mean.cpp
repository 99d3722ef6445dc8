// rejected: the mean of the uses
for (Index i = 0; i < dy.size(); ++i) {
  const std::int32_t token = tokens.data()[i / width];
  dtable.mutable_data()[token * width + i % width] +=
      dy.data()[i] / static_cast<Scalar>(std::count(tokens.begin(), tokens.end(), token));
}
