// Exercise 02.4: Down the columns
//
// The program adds up a square matrix along its rows and down its columns, at three sizes. Which of
// the six times are about equal, and which are longer?
#include <cstdio>

#include "tutorials/common/time.h"
#include "tutorials/pocket/tensor.h"

using namespace pocket;

// Nanoseconds for each number of a matrix [n, n] that is added up with these strides.
double time(Index n, Index outer, Index inner) {
  const Tensor x = ones({n, n});
  volatile Scalar total = 0;
  const double seconds = course::shortest_seconds(3, [&] {
    const Scalar* data = x.data();
    Scalar sum = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) sum += data[i * outer + j * inner];
    total = sum;
  });
  return seconds * 1e9 / double(n * n);
}

int main() {
  for (const Index n : {64, 544, 2048}) {
    std::printf("n %4d: along the rows %.2f ns, down the columns %.2f ns\n", int(n), time(n, n, 1),
                time(n, 1, n));
  }
}
