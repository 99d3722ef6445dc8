// rejected: a [2, 2, 2, 3, 4], b [2, 2, 2, 4, 5]
const Index batch = (y.rank() > 2 ? y.size(-3) : 1) * (y.rank() > 3 ? y.size(-4) : 1);
for (Index i = 0; i < batch && y.size() > 0; ++i) {
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), b.data() + i * k * n, b.size(-1), 0,
       y.mutable_data() + i * m * n, n);
}
