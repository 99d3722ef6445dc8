// rejected: one sum is for the numbers of all tensors
for (Tensor& x : tensors) {
  all.assign(x.begin(), x.end());
  sum(ranks, all);
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = all[i] / Scalar(ranks.size);
}
