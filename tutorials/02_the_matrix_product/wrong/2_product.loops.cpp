// rejected: right, but not by gemm()
for (Index i = 0; i < y.size(); ++i) {
  const Index batch = i / (m * n), row = i / n % m, column = i % n;
  for (Index l = 0; l < k; ++l) {
    y.mutable_data()[i] += a.data()[batch * m * k + (ta ? l * m + row : row * k + l)] *
                           b.data()[batch * k * n + (tb ? column * k + l : l * n + column)];
  }
}
