// rejected: one call multiplies two whole matrices
gemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, 1,
     a.data(), std::max<Index>(a.size(-1), 1), b.data(), b.size(-1), 0, y.mutable_data(), n);
for (Index i = m * n; i < y.size(); ++i) {
  const Index batch = i / (m * n), row = i / n % m, column = i % n;
  for (Index l = 0; l < k; ++l) {
    y.mutable_data()[i] += a.data()[batch * m * k + (ta ? l * m + row : row * k + l)] *
                           b.data()[batch * k * n + (tb ? column * k + l : l * n + column)];
  }
}
