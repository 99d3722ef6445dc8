// rejected: add rank 0's number
for (int k = 1; k < size; ++k) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += of[(rank + k) % size][i];
}
