// rejected: b [25, 30]^T
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, k, b.data() + i * k * n, n, 0, y.mutable_data() + i * m * n, n);
}
