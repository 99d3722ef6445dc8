#include <limits>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "tutorials/07_from_text_to_loss/exercises.h"
#include "tutorials/common/compare.h"
#include "tutorials/common/own_indices.h"

namespace {

void ask(Index n, Index vocab, Scalar spread, Scalar dy) {
  const std::string what = gradus::detail::text(n, " rows of ", vocab, ", logits of about ", spread,
                                                ", dy ", dy, ": the loss");
  gradus::IndexTensor targets({n});
  for (Index i = 0; i < n; ++i) {
    targets.mutable_data()[i] = int(gradus::uniform_index({.seed = 4}, std::uint64_t(i), vocab));
  }
  Index made = 0;
  compare(
      what + " times dy", {gradus::normal({n, vocab}, {.seed = 3}, 0, spread)},
      [&](const std::vector<Tensor>& x) {
        made = nodes_made;
        const Tensor loss = cross_entropy_op(x[0], own(targets));
        if (!loss.defined()) return loss;
        gradus::must_be_finite(
            what, loss, "e to a large power is infinite: subtract each row's largest logit first");
        if (!loss.requires_grad()) {
          gradus::red(what, " has no node\nlikely cause: return record(...), with logits as input");
        }
        if (nodes_made != made + 1 || loss.node()->inputs != std::vector{x[0].node()}) {
          gradus::red(what, ": the graph got ", nodes_made - made,
                      " nodes, expected 1\nlikely cause: ops on logits record nodes; work on "
                      "logits.detach()");
        }
        return loss * dy;
      },
      [&](const auto& x) { return gradus::cross_entropy(x[0], targets) * dy; });
  if (nodes_made != made + 2) gradus::red(what, ": the closure made nodes");
}

/// A token that cannot come has the logit -inf; the loss and the gradient stay finite.
void ask_impossible() {
  const std::string what = "logits -inf, 0, 0";
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  Tensor mine = own(gradus::tensor({{-inf, 0, 0}})).set_requires_grad();
  const Tensor loss = cross_entropy_op(mine, indices({1}));
  gradus::must_be_finite(what + ": the loss", loss,
                         "0 times -inf is NaN, in pocket's cross_entropy, too: read the target's "
                         "log-probability from its row");
  gradus::expect(what + ": the loss", gradus::as_library(loss), gradus::scalar(std::log(2.0F)));
  backward(loss);
  gradus::expect(what + ": the gradient", gradus::as_library(mine.grad()),
                 gradus::tensor({{0, -0.5, 0.5}}), gradus::kResultIsRight);
}

}  // namespace

CHECK_ANSWER() {
  ask(4, 3, 2, 2);
  ask(2, 7, 2, -5);
  ask(5, 3, 10000, 2);
  ask(128, 3, 2, 2);
  ask_impossible();
}
