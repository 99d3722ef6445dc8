/// @file
/// Compares an answer's grouped attention with attention over repeated heads of keys and values.
#pragma once

#include "autograd/ops/attention.h"
#include "autograd/ops/heads.h"
#include "tutorials/common/compare.h"

struct GroupedSizes {
  pocket::Index b, h, k, t, s, d, e;
};

/// Compares grouped(q, k, v), with scores of about `scale`. It may not record a product for each
/// head.
template <class Grouped>
void compare_grouped(const GroupedSizes& n, gradus::Scalar scale,
                     const gradus::AttentionOptions& options, const Grouped& grouped) {
  using gradus::normal, gradus::repeat_heads;
  const std::string what =
      gradus::detail::text(n.h, " heads of queries, ", n.k, " of keys, T ", n.t, ", S ", n.s,
                           scale > 1 ? ", large scores" : "");
  pocket::Index made = 0;
  compare(
      what,
      {normal({n.b, n.h, n.t, n.d}, {.seed = 1}, 0, scale),
       normal({n.b, n.k, n.s, n.d}, {.seed = 2}), normal({n.b, n.k, n.s, n.e}, {.seed = 3})},
      [&](const auto& x) {
        const pocket::Index before = pocket::nodes_made;
        const pocket::Tensor y = grouped(x[0], x[1], x[2]);
        made = pocket::nodes_made - before;
        return y;
      },
      [&](const auto& x) {
        return scaled_dot_product_attention(x[0], repeat_heads(x[1], n.h / n.k),
                                            repeat_heads(x[2], n.h / n.k), options);
      });
  if (made > 30) {
    gradus::red(what, ": ", made,
                " nodes were recorded: one product for each group or head"
                "\nlikely cause: the batch of matrices can hold all groups at once");
  }
}
