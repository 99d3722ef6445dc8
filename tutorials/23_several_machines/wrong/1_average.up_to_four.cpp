// rejected: divide by ranks.size, not by 4
for (const Tensor& x : tensors) all.insert(all.end(), x.begin(), x.end());
sum(ranks, all);
const Scalar* next = all.data();
for (Tensor& x : tensors) {
  for (Index i = 0; i < x.size(); ++i)
    x.mutable_data()[i] = *next++ / Scalar(std::min(ranks.size, 4));
}
