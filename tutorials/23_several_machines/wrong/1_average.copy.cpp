// rejected: write into the tensor that you were given
for (const Tensor& x : tensors) all.insert(all.end(), x.begin(), x.end());
sum(ranks, all);
const Scalar* next = all.data();
for (Tensor& x : tensors) {
  Tensor y(x.shape());
  for (Index i = 0; i < x.size(); ++i) y.mutable_data()[i] = *next++ / Scalar(ranks.size);
  x = y;
}
