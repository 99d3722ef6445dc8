// rejected: the two flags have changed places
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, tb ? CblasTrans : CblasNoTrans, ta ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), b.data() + i * k * n, b.size(-1), 0,
       y.mutable_data() + i * m * n, n);
}
