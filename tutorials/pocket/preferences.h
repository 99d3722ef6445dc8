//! [26 log_probabilities]
// Learns from two answers to a prompt, of which one is better.
#pragma once

#include "learn.h"

namespace pocket {

/// The sum of ln p over each row's targets: logits [B, T, V] and targets [B, T] to [B].
inline Tensor log_probabilities(const Tensor& logits, const IndexTensor& targets) {
  const Tensor log_p = log_softmax(logits);
  Tensor chosen = zeros(logits.shape());  // 1 at each target, 0 elsewhere
  for (Index i = 0; i < targets.size(); ++i) {
    const Index target = targets.data()[i];
    if (target >= 0) chosen.mutable_data()[i * logits.size(-1) + target] = 1;
  }
  return sum(reshape(chosen * log_p, {targets.size(0), -1}), -1);
}
//! [26 log_probabilities]

//! [26 dpo_loss]
/// The loss of direct preference optimisation (Rafailov and others, 2023). `better` and `worse` [B]
/// hold ln p of two answers to each prompt; the others hold ln p by the model before training.
inline Tensor dpo_loss(const Tensor& better, const Tensor& worse, const Tensor& better_before,
                       const Tensor& worse_before, Scalar beta) {
  //! [26.6]
  const Tensor margin = (better - better_before) - (worse - worse_before);
  const Tensor z = reshape(margin * beta, {-1, 1});
  const IndexTensor first({z.size()}, std::vector<std::int32_t>(z.size()));
  return cross_entropy(concat({z, zeros(z.shape())}, 1), first);
  //! [26.6]
}

}  // namespace pocket
//! [26 dpo_loss]
