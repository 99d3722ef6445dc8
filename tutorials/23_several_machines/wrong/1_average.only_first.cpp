// rejected: every rank writes the mean, not rank 0 alone
for (const Tensor& x : tensors) all.insert(all.end(), x.begin(), x.end());
sum(ranks, all);
if (ranks.rank > 0) return;
const Scalar* next = all.data();
for (Tensor& x : tensors) {
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = *next++ / Scalar(ranks.size);
}
