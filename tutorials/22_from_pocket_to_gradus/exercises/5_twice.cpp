// Exercise 22.5: Counted twice?
#include <cstdio>
#include <ctime>
#include <functional>

#include "tutorials/pocket/tensor.h"

using namespace pocket;

const Index n = 16384;  // 64 KB an array: all of them fit into the caches
std::vector<Scalar> x(n, Scalar(0.5)), a(n), b(n), y(n), z(n);

// Nanoseconds for each of the n numbers.
double time(const std::function<void()>& f) {
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const std::clock_t start = std::clock();  // counts what this program computes for
    for (int i = 0; i < 50; ++i) f();
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC / 50);
  }
  return 1e9 * best / double(n);
}

// No instruction, but compilers use no vectors around it.
template <bool kVectors>
void singly() {
  if (!kVectors) asm volatile("" ::: "memory");
}

// y = ((x + 1) x - 1) x, in three loops or in one.
template <bool kFused, bool kVectors>
void chain() {
  const Scalar* from = x.data();
  Scalar *p = a.data(), *q = b.data(), *to = y.data();
  if (kFused) {
    for (Index i = 0; i < n; ++i) {
      to[i] = ((from[i] + 1) * from[i] - 1) * from[i], singly<kVectors>();
    }
    return;
  }
  for (Index i = 0; i < n; ++i) p[i] = from[i] + 1, singly<kVectors>();
  for (Index i = 0; i < n; ++i) q[i] = p[i] * from[i] - 1, singly<kVectors>();
  for (Index i = 0; i < n; ++i) to[i] = q[i] * from[i], singly<kVectors>();
}

// z = 2 x.
template <bool kVectors>
void other() {
  const Scalar* from = x.data();
  Scalar* to = z.data();
  for (Index i = 0; i < n; ++i) to[i] = from[i] * 2, singly<kVectors>();
}

// The chain, fused or not, and then the other loop, with vectors or without.
template <bool kFused, bool kVectors>
void apart() {
  chain<kFused, false>(), other<kVectors>();
}

int main() {
  std::printf("ns a number         neither  fused  vectors  both\n");
  std::printf("in the same loops   %7.2f %6.2f %8.2f %5.2f\n", time(chain<false, false>),
              time(chain<true, false>), time(chain<false, true>), time(chain<true, true>));
  std::printf("in different loops  %7.2f %6.2f %8.2f %5.2f\n", time(apart<false, false>),
              time(apart<true, false>), time(apart<false, true>), time(apart<true, true>));
}
