/// @file
/// Times bfloat16 products of oneDNN and of gradus on one thread: the three products of a linear
/// layer. The operands are floats, which both libraries round first. Built if oneDNN is installed
/// (Debian: libdnnl-dev).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <dnnl.hpp>
#include <string>

#include "autograd/kernels/parallel_for.h"
#include "bench/workload.h"

namespace gradus {
namespace {

using Memory = dnnl::memory;

/// C = op(A) op(B) for float arrays, which oneDNN rounds and multiplies. oneDNN chooses the layout
/// of the rounded operands. The memory for them and the primitives are made once.
class OneDnnProduct {
 public:
  OneDnnProduct(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b, Scalar* c)
      : a_(view(m, k, a)),
        b_(view(k, n, b)),
        c_({{m, n}, Memory::data_type::f32, Memory::format_tag::ab}, engine_, c) {
    const auto rounded = [](Index rows, Index columns) {
      return Memory::desc({rows, columns}, Memory::data_type::bf16, Memory::format_tag::any);
    };
    const dnnl::matmul::primitive_desc chosen({rounded(m, k), rounded(k, n), c_.get_desc()},
                                              engine_);
    rounded_a_ = Memory(chosen.src_desc(), engine_);
    rounded_b_ = Memory(chosen.weights_desc(), engine_);
    round_a_ = dnnl::reorder(a_, rounded_a_), round_b_ = dnnl::reorder(b_, rounded_b_);
    product_ = dnnl::matmul(chosen);
    name_ = chosen.impl_info_str();
  }

  void operator()() {
    round_a_.execute(stream_, a_, rounded_a_);
    round_b_.execute(stream_, b_, rounded_b_);
    product_.execute(
        stream_, {{DNNL_ARG_SRC, rounded_a_}, {DNNL_ARG_WEIGHTS, rounded_b_}, {DNNL_ARG_DST, c_}});
    stream_.wait();
  }
  const std::string& name() const { return name_; }

 private:
  Memory view(Index rows, Index columns, const MatrixView& x) {
    const Memory::dims strides = x.transposed ? Memory::dims{1, x.ld} : Memory::dims{x.ld, 1};
    return {
        {{rows, columns}, Memory::data_type::f32, strides}, engine_, const_cast<Scalar*>(x.data)};
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Memory a_, b_, c_, rounded_a_, rounded_b_;
  dnnl::reorder round_a_, round_b_;
  dnnl::matmul product_;
  std::string name_;
};

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void compare(const std::string& name, Index m, Index n, Index k, bool a_transposed,
             bool b_transposed) {
  const Tensor a = noise(a_transposed ? Shape{k, m} : Shape{m, k}),
               b = noise(b_transposed ? Shape{n, k} : Shape{k, n});
  Tensor ours({m, n}), theirs({m, n});
  const MatrixView of_a{a.data(), a.size(1), a_transposed}, of_b{b.data(), b.size(1), b_transposed};
  OneDnnProduct product(m, n, k, of_a, of_b, theirs.mutable_data());
  const auto gradus = [&] { gemm(m, n, k, 1, of_a, of_b, 0, ours.mutable_data(), n); };
  double best[2] = {1e300, 1e300};
  for (double taken = 0; taken < 600;) {
    best[0] = std::min(best[0], milliseconds(gradus));
    best[1] = std::min(best[1], milliseconds(std::ref(product)));
    taken += best[0] + best[1];
  }
  float apart = 0;
  for (Index i = 0; i < ours.size(); ++i) {
    apart = std::max(apart, std::abs(ours.data()[i] - theirs.data()[i]));
  }
  const double operations = 2e-6 * double(m) * double(n) * double(k);
  std::printf("%-26s %6.0f %6.0f %6.2f   %.0e  %s\n", name.c_str(), operations / best[0],
              operations / best[1], best[0] / best[1], apart, product.name().c_str());
}

}  // namespace
}  // namespace gradus

int main() {
  using namespace gradus;
  set_num_threads(1);
  const ProductPrecisionScope rounded(ProductPrecision::kBfloat16);
  std::printf("GFLOP/s                    gradus oneDNN   time  apart\n");
  for (const Sizes& s : kSizes) {
    const Index rows = s.tokens(), c = s.n_embd;
    compare(s.name + ", forward", rows, 4 * c, c, false, false);
    compare(s.name + ", gradient of x", rows, c, 4 * c, false, true);
    compare(s.name + ", gradient of weight", c, 4 * c, rows, true, false);
  }
}
