// rejected: memory was taken by operator new
for (Index i = 0; i * m * n < y.size(); ++i) {
  std::vector<Scalar> columns(k * n);
  for (Index l = 0; l < k; ++l)
    for (Index j = 0; j < n; ++j)
      columns[l * n + j] = b.data()[i * k * n + (tb ? j * k + l : l * n + j)];
  gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, CblasNoTrans, m, n, k, 1,
       a.data() + i * m * k, a.size(-1), columns.data(), n, 0, y.mutable_data() + i * m * n, n);
}
