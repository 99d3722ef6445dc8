// rejected: called once, with 4 numbers in place of 3
for (const Tensor& x : tensors) all.insert(all.end(), x.begin(), x.end());
all.push_back(1);
sum(ranks, all);
const Scalar count = all.back();
const Scalar* next = all.data();
for (Tensor& x : tensors) {
  for (Index i = 0; i < x.size(); ++i) x.mutable_data()[i] = *next++ / count;
}
