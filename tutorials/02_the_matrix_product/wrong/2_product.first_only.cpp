// rejected: each call multiplied the first two matrices
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data(), a.size(-1), b.data(), b.size(-1), 0, y.mutable_data() + i * m * n, n);
}
