// rejected: a later use overwrote an earlier one
for (Index i = 0; i < dy.size(); ++i) {
  dtable.mutable_data()[tokens.data()[i / width] * width + i % width] = dy.data()[i];
}
