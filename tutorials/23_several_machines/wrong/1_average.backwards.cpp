// rejected: is each number written back
for (std::size_t t = tensors.size(); t-- > 0;) {
  all.insert(all.end(), tensors[t].begin(), tensors[t].end());
}
sum(ranks, all);
const Scalar* next = all.data();
for (Tensor& x : tensors) {
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = *next++ / Scalar(ranks.size);
}
