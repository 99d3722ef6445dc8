// Exercise 22.5: Which of these waits for memory?
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "tutorials/pocket/matmul.h"

using namespace pocket;

// Nanoseconds for each of the n numbers that f writes.
double time(Index n, const std::function<void(const Scalar*, const Scalar*, Scalar*)>& f) {
  const std::vector<Scalar> a(n, Scalar(0.5)), b(n, 2);
  std::vector<Scalar> y(n);
  double best = 1e9;
  for (int round = 0; round < 10; ++round) {
    const int times = static_cast<int>(std::max<Index>(1, 10000000 / n));
    const std::clock_t start = std::clock();  // only the time that this program computes
    for (int i = 0; i < times; ++i) f(a.data(), b.data(), y.data());
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC / times);
  }
  return 1e9 * best / double(n);
}

int main() {
  std::array<double, 3> small = {};
  for (const Index rows : {128, 2048}) {  // a matrix of 64 KB, and one of 16 MB
    const Index n = rows * rows;
    const double add = time(n, [n](const Scalar* a, const Scalar* b, Scalar* y) {
      for (Index i = 0; i < n; ++i) y[i] = a[i] + b[i];
    });
    const double power = time(n, [n](const Scalar* a, const Scalar* b, Scalar* y) {
      for (Index i = 0; i < n; ++i) y[i] = std::pow(a[i], b[i]);
    });
    double product = time(n, [rows](const Scalar* a, const Scalar* b, Scalar* y) {
      gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, rows, rows, 1, a, rows, b, rows, 0, y,
           rows);
    });
    product /= double(2 * rows);  // it multiplies and adds
    std::printf("%4d rows, ns an operation: add %.3f, power %.3f, product %.4f\n", int(rows), add,
                power, product);
    if (rows > 128) {
      std::printf("times as long:             add %.1f, power %.1f, product %.1f\n", add / small[0],
                  power / small[1], product / small[2]);
    }
    small = {add, power, product};
  }
}
