/// @file
/// Times only the matrix products of one training step. A step with gradus's products, divided
/// among the threads as in the library, cannot be faster.
///
/// The products are: for each linear layer and for the output layer, one forward and two backward;
/// for each head of each attention layer, QK^T and PV forward, and dV = P^T dO, dP = dO V^T, dQ =
/// dS K and dK = dS^T Q backward. The products of attention cover all T x T pairs, although a
/// causal mask needs only half of them: a step that skips the other half can be faster in this
/// part.
///
/// Weights, their gradients and the activations of each layer have separate buffers, so that the
/// caches are used as in a step. Scores are in one buffer per thread, since no step keeps them.

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/kernels/blas.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/parallel_for.h"
#include "bench/workload.h"
#include "cli/program/prepare_process.h"

namespace gradus {
using namespace detail;
namespace {

/// C = op(A) op(B) / sqrt(k), which keeps the variance of noise after any number of products.
void product(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b, Scalar* c,
             Index ldc) {
  gemm(m, n, k, 1 / std::sqrt(static_cast<Scalar>(k)), a, b, 0, c, ldc);
}

struct LinearProducts {
  Tensor weight, dweight;  // [in, out]

  LinearProducts(Index in, Index out) : weight(noise({in, out})), dweight(weight.shape()) {}

  void forward(const Tensor& x, Tensor& y) const {
    const Index in = weight.size(0), out = weight.size(1);
    product(x.size(0), out, in, {x.data(), in}, {weight.data(), out}, y.mutable_data(), out);
  }
  void backward(const Tensor& x, const Tensor& dy, Tensor& dx) {
    const Index rows = x.size(0), in = weight.size(0), out = weight.size(1);
    product(rows, in, out, {dy.data(), out}, {weight.data(), out, true}, dx.mutable_data(), in);
    product(in, out, rows, {x.data(), in, true}, {dy.data(), out}, dweight.mutable_data(), out);
  }
};

/// The products of all heads. Each thread computes its share of the B H heads. Computed scores go
/// to one buffer, and the scores for the next product come from another buffer with noise:
/// otherwise the numbers would soon overflow.
class AttentionProducts {
 public:
  explicit AttentionProducts(const Sizes& sizes)
      : s_(sizes), scores_(noise({num_threads(), 2, s_.block_size, s_.block_size})) {}

  void forward(const Tensor& qkv, Tensor& y) const {
    for_each_head(
        [&, to = y.mutable_data()](Index row, Index column, Scalar* made, const Scalar* used) {
          const Index t = s_.block_size, d = s_.head_width(), c = s_.n_embd;
          const Scalar* q = qkv.data() + row * 3 * c + column;
          product(t, t, d, {q, 3 * c}, {q + c, 3 * c, true}, made, t);                // Q K^T
          product(t, d, t, {used, t}, {q + 2 * c, 3 * c}, to + row * c + column, c);  // P V
        });
  }
  void backward(const Tensor& qkv, const Tensor& dy, Tensor& dqkv) const {
    Scalar* const to = dqkv.mutable_data();
    for_each_head([&](Index row, Index column, Scalar* made, const Scalar* used) {
      const Index t = s_.block_size, d = s_.head_width(), c = s_.n_embd;
      const Scalar* q = qkv.data() + row * 3 * c + column;
      const MatrixView dout{dy.data() + row * c + column, c};
      Scalar* dq = to + row * 3 * c + column;
      product(t, d, t, {used, t, true}, dout, dq + 2 * c, 3 * c);    // dV = P^T dO
      product(t, t, d, dout, {q + 2 * c, 3 * c, true}, made, t);     // dP = dO V^T
      product(t, d, t, {used, t}, {q + c, 3 * c}, dq, 3 * c);        // dQ = dS K
      product(t, d, t, {used, t, true}, {q, 3 * c}, dq + c, 3 * c);  // dK = dS^T Q
    });
  }

 private:
  /// Calls work(first row, first column, scores to write, scores to read) for each head of each
  /// text.
  template <class Work>
  void for_each_head(Work work) const {
    const Index heads = s_.batch_size * s_.n_head;
    const Index square = s_.block_size * s_.block_size;
    const int parts = parts_for(heads, kElementGrain / (square * s_.head_width() + 1) + 1);
    parallel_parts(parts, [&](int part) {
      Scalar* scores = scores_.mutable_data() + part * 2 * square;
      for (Index i = part_begin(heads, part, parts); i < part_begin(heads, part + 1, parts); ++i) {
        work(i / s_.n_head * s_.block_size, i % s_.n_head * s_.head_width(), scores,
             scores + square);
      }
    });
  }

  Sizes s_;
  Tensor scores_;  // [threads, 2, T, T]
};

struct BlockProducts {
  LinearProducts c_attn, c_proj, c_fc, c_out;
  Tensor x, qkv, mixed, middle, hidden;  // [B T, ...], kept for backward

  explicit BlockProducts(const Sizes& s)
      : c_attn(s.n_embd, 3 * s.n_embd),
        c_proj(s.n_embd, s.n_embd),
        c_fc(s.n_embd, 4 * s.n_embd),
        c_out(4 * s.n_embd, s.n_embd),
        x(noise({s.tokens(), s.n_embd})),
        qkv(Shape{s.tokens(), 3 * s.n_embd}),
        mixed(x.shape()),
        middle(x.shape()),
        hidden(Shape{s.tokens(), 4 * s.n_embd}) {}
};

class StepProducts {
 public:
  explicit StepProducts(const Sizes& s)
      : attention_(s),
        head_(noise({s.vocab_size, s.n_embd})),
        dhead_(head_.shape()),
        logits_(Shape{s.tokens(), s.vocab_size}),
        features_(Shape{s.tokens(), s.n_embd}),
        dx_(features_.shape()),
        dmixed_(features_.shape()),
        dqkv_(Shape{s.tokens(), 3 * s.n_embd}),
        dhidden_(Shape{s.tokens(), 4 * s.n_embd}) {
    for (int layer = 0; layer < s.n_layer; ++layer) {
      blocks_.emplace_back(s);
    }
  }

  void operator()() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      BlockProducts& b = blocks_[i];
      b.c_attn.forward(b.x, b.qkv);
      attention_.forward(b.qkv, b.mixed);
      b.c_proj.forward(b.mixed, b.middle);
      b.c_fc.forward(b.middle, b.hidden);
      b.c_out.forward(b.hidden, i + 1 < blocks_.size() ? blocks_[i + 1].x : features_);
    }
    const Index rows = logits_.size(0), v = head_.size(0), c = head_.size(1);
    const MatrixView dlogits{logits_.data(), v};  // used in place of its gradient
    product(rows, v, c, {features_.data(), c}, {head_.data(), c, true}, logits_.mutable_data(), v);
    product(rows, c, v, dlogits, {head_.data(), c}, dx_.mutable_data(), c);
    product(v, c, rows, {logits_.data(), v, true}, {features_.data(), c}, dhead_.mutable_data(), c);
    for (std::size_t i = blocks_.size(); i-- > 0;) {
      BlockProducts& b = blocks_[i];
      b.c_out.backward(b.hidden, dx_, dhidden_);
      b.c_fc.backward(b.middle, dhidden_, dx_);
      b.c_proj.backward(b.mixed, dx_, dmixed_);
      attention_.backward(b.qkv, dmixed_, dqkv_);
      b.c_attn.backward(b.x, dqkv_, dx_);
    }
  }

 private:
  AttentionProducts attention_;
  std::vector<BlockProducts> blocks_;
  Tensor head_, dhead_, logits_, features_;  // head_ is [V, C], the token embedding
  Tensor dx_, dmixed_, dqkv_, dhidden_;      // gradients, shared by all layers
};

/// The floating-point operations of all these products.
double flops(const Sizes& s) {
  const double n = static_cast<double>(s.tokens());
  const double c = static_cast<double>(s.n_embd);
  const double linear = 12 * c * c * s.n_layer + c * static_cast<double>(s.vocab_size);
  const double attention = 2 * c * static_cast<double>(s.block_size) * s.n_layer;
  return 3 * 2 * n * (linear + attention);
}

void run(const TimingOptions& options) {
  StepProducts products(options.sizes);
  const std::vector<double> milliseconds = time_steps(
      options, [] {}, [&] { products(); });
  const double best = *std::min_element(milliseconds.begin(), milliseconds.end());
  print_timing("products", options, milliseconds,
               {{"gflops", std::round(flops(options.sizes) / best / 1e5) / 10}});
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::run(gradus::parse_timing_options(
      argc, argv, "Times the matrix products of one training step of a GPT, and nothing else."));
}
