// rejected: dy is missing
for (Index i = 0; i < dy.size(); ++i) {
  dtable.mutable_data()[tokens.data()[i / width] * width + i % width] += 1;
}
