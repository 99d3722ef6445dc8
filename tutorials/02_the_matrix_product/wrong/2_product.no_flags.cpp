// rejected: the flags were not passed on
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a.data() + i * m * k, k,
       b.data() + i * k * n, n, 0, y.mutable_data() + i * m * n, n);
}
