// rejected: b's matrix i begins
for (Index i = 0; i * m * n < y.size(); ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), b.data(), b.size(-1), 0, y.mutable_data() + i * m * n, n);
}
