// rejected: argument 1 has changed
Tensor x = a;
if (x.size() > 0) x.mutable_data()[0] += 1;
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), b.data() + i * k * n, b.size(-1), 0,
       y.mutable_data() + i * m * n, n);
}
