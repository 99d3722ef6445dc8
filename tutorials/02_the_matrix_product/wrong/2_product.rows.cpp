// rejected: one call multiplies two whole matrices
for (Index i = 0; i * m * n < y.size(); ++i) {
  for (Index row = 0; row < m; ++row) {
    gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, 1, n, k, 1,
         a.data() + i * m * k + (ta ? row : row * k), a.size(-1), b.data() + i * k * n, b.size(-1),
         0, y.mutable_data() + (i * m + row) * n, n);
  }
}
