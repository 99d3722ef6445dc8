// rejected: a [2, 5, 40], b [2, 40, 60]
for (Index i = 0; i < 1; ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), b.data() + i * k * n, b.size(-1), 0,
       y.mutable_data() + i * m * n, n);
}
