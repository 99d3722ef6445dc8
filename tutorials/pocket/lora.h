//! [26 LowRank]
// Low-rank adaptation: trains two thin matrices beside each frozen one (Hu and others, 2021).
#pragma once

#include "learn.h"

namespace pocket {

struct LoraOptions {
  Index rank = 4;    // r
  Scalar alpha = 8;  // s = alpha / r: another rank then seldom needs another learning rate
};

/// The matrices A [in, r] and B [r, out] beside a frozen matrix W [in, out].
struct LowRank {
  LowRank(Index in, Index out, const LoraOptions& options, KeySequence& keys)
      : scale(options.alpha / Scalar(options.rank)),
        a(normal({in, options.rank}, keys.next(), 0, 1 / std::sqrt(Scalar(in)))),
        b(zeros({options.rank, out})) {
    a.set_requires_grad(), b.set_requires_grad();
  }
  /// x W + s (x A) B: x [..., in] to [..., out].
  Tensor beside(const Tensor& weight, const Tensor& x) const {
    //! [26.1]
    return matmul(x, weight) + matmul(matmul(x, a), b) * scale;
    //! [26.1]
  }
  /// W + s A B, one matrix.
  Tensor merged(const Tensor& weight) const { return weight + matmul(a, b) * scale; }
  void fields(auto&& f) { f("a", a), f("b", b); }
  Scalar scale;  // s
  Tensor a, b;
};
//! [26 LowRank]

//! [26 Lora]
/// A pair for each matrix of a GPT's blocks. The GPT itself is frozen.
struct Lora {
  Lora(auto& model, const LoraOptions& options, KeySequence& keys) {
    visit_parameters(model, [&](const std::string& name, Tensor& x) {
      x.set_requires_grad(false);  // a constant: no gradient arrives
      if (!has_pair(name, x)) return;
      frozen.push_back(x);
      pairs.emplace_back(x.size(0), x.size(1), options, keys);
    });
  }
  static bool has_pair(const std::string& name, const Tensor& x) {
    return name.starts_with("h.") && x.rank() == 2;
  }
  /// Puts W + s A B into the model in place of each W, or W itself again.
  void put_into(auto& model, bool with_pairs = true) const {
    std::size_t i = 0;
    visit_parameters(model, [&](const std::string& name, Tensor& x) {
      if (!has_pair(name, x)) return;
      x = with_pairs ? pairs[i].merged(frozen[i]) : frozen[i];
      ++i;
    });
  }
  void fields(auto&& f) { f("pairs", pairs); }
  std::vector<Tensor> frozen;  // W of each pair
  std::vector<LowRank> pairs;
};

}  // namespace pocket
//! [26 Lora]
