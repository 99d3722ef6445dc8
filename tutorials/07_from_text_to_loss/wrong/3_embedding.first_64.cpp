// rejected: 200 tokens, vectors of 100
for (Index i = 0; i < tokens.size(); ++i) {
  for (Index j = 0; j < std::min<Index>(width, 64); ++j) {
    dtable.mutable_data()[tokens.data()[i] * width + j] += dy.data()[i * width + j];
  }
}
