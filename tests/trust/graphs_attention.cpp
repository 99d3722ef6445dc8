/// @file
/// Attention and related ops: heads, rotary encoding, token shift.

#include <algorithm>
#include <cmath>

#include "tests/trust/graphs.h"

namespace gradus::trust {

namespace {

/// Whether query t of T may see key s of S.
bool is_seen(const Node& n, const Place& p, Index targets, Index sources) {
  const Index t = p[p.size() - 2], s = p.back();
  const bool is_causal = n.numbers[0] != 0;
  const Index window = n.numbers[1], last = t + sources - targets;
  if (is_causal && (s > last || (window > 0 && s <= last - window))) return false;
  return n.indices.empty() || is_set(n.indices[0], p);
}

/// Attention of heads q, k, v, with a bias if there is one more input.
template <class N>
N naive_attention(const Node& n, const N& q, const N& k, const N& v, const N* bias) {
  N scores = naive_matmul(q, naive_transpose(k, k.shape.rank() - 2, k.shape.rank() - 1));
  const double scale =
      n.reals[0] != 0 ? n.reals[0] : 1 / std::sqrt(std::max(1., static_cast<double>(q.shape[-1])));
  scores = naive_map(scores, [&](const auto& e) { return times(e, scale); });
  if (bias != nullptr) {
    scores = naive_zip(scores, *bias, [](const auto& a, const auto& b) { return a + b; });
  }
  const Index targets = q.shape[-2], sources = k.shape[-2];
  return naive_matmul(
      naive_softmax(scores, scores.shape.rank() - 1,
                    [&](const Place& p) { return is_seen(n, p, targets, sources); }),
      v);
}

AttentionOptions attention_options(const Node& n, const Tensor& bias) {
  return {.mask = n.indices.empty() ? IndexTensor() : n.indices[0],
          .causal = n.numbers[0] != 0,
          .window = n.numbers[1],
          .bias = bias,
          .scale = static_cast<Scalar>(n.reals[0])};
}

void choose_attention(Plan& plan, Node& n, const Shape& weights) {
  const bool is_causal = plan.draws.chance(50);
  n.numbers = {is_causal ? 1 : 0, is_causal && plan.draws.chance(40) ? 1 + plan.draws.below(3) : 0};
  n.reals = {plan.draws.chance(30) ? 0.25 : 0};
  if (plan.draws.chance(40)) n.indices = {plan.indices(plan.smaller(weights, 1), 2)};
  if (plan.draws.chance(40)) n.inputs.push_back(plan.leaf(plan.smaller(weights, 1)));
}

/// Channels [from, from + heads width) of [B, T, C] as [B, heads, T, width], each head `times`
/// times.
template <class N>
N naive_heads(const N& x, Index from, Index heads, Index width, Index times) {
  return N::from({x.shape[0], heads * times, x.shape[1], width}, x.is_exact, [&](const Place& p) {
    return x({p[0], p[2], from + p[1] / times * width + p[3]});
  });
}

template <class N>
N naive_join(const N& x) {
  const Index width = x.shape[3];
  return N::from({x.shape[0], x.shape[2], x.shape[1] * width}, x.is_exact, [&](const Place& p) {
    return x({p[0], p[2] / width, p[1], p[2] % width});
  });
}

/// x [..., T, D] rotated by positions from `first` on.
template <class N>
N naive_rotary(const N& x, Index first) {
  const Index half = x.shape[-1] / 2;
  return N::from(x.shape, false, [&](const Place& p) {
    const Index i = p.back() % half;
    const double position = static_cast<double>(first + p[p.size() - 2]);
    const double angle =
        position * std::pow(10000., -2. * static_cast<double>(i) / static_cast<double>(2 * half));
    Place other = p;
    const bool is_second = p.back() >= half;
    other.back() = is_second ? i : i + half;
    return times(x(p), std::cos(angle)) +
           times(x(other), is_second ? std::sin(angle) : -std::sin(angle));
  });
}

}  // namespace

std::vector<Op> attention() {
  return {
      op(
          "scaled_dot_product_attention",
          [](Plan& plan, Node& n) {
            const Shape batch = plan.shape(static_cast<int>(plan.draws.below(3)));
            const Index targets = plan.size(), sources = plan.size(), width = plan.size(),
                        outer = plan.size();
            const auto of = [&](Index rows, Index columns) {
              Place sizes = sizes_of(batch);
              sizes.push_back(rows);
              sizes.push_back(columns);
              return shape_of(sizes);
            };
            n.inputs = {plan.leaf(of(targets, width)), plan.leaf(of(sources, width)),
                        plan.leaf(of(sources, outer))};
            choose_attention(plan, n, of(targets, sources));
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return scaled_dot_product_attention(
                x[0], x[1], x[2], attention_options(n, x.size() > 3 ? x[3] : Tensor()));
          },
          [](const Node& n, const auto& x) {
            return naive_attention(n, x[0], x[1], x[2], x.size() > 3 ? &x[3] : nullptr);
          }),
      op(
          "packed_self_attention",
          [](Plan& plan, Node& n) {
            const Index batch = plan.size(), time = plan.size(), keys = 1 + plan.draws.below(2),
                        group = 1 + plan.draws.below(3), width = 1 + plan.draws.below(5);
            n.inputs = {plan.leaf({batch, time, (keys * group + 2 * keys) * width})};
            choose_attention(plan, n, {batch, keys * group, time, time});
            n.numbers.insert(n.numbers.end(), {keys, group, width});
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return packed_self_attention(x[0], static_cast<int>(n.numbers[2] * n.numbers[3]),
                                         attention_options(n, x.size() > 1 ? x[1] : Tensor()),
                                         static_cast<int>(n.numbers[2]));
          },
          [](const Node& n, const auto& x) {
            const Index keys = n.numbers[2], group = n.numbers[3], width = n.numbers[4],
                        queries = keys * group;
            return naive_join(
                naive_attention(n, naive_heads(x[0], 0, queries, width, 1),
                                naive_heads(x[0], queries * width, keys, width, group),
                                naive_heads(x[0], (queries + keys) * width, keys, width, group),
                                x.size() > 1 ? &x[1] : nullptr));
          }),
      op(
          "split_heads, repeat_heads, join_heads",
          [](Plan& plan, Node& n) {
            const Index heads = 1 + plan.draws.below(3), width = plan.size();
            n.inputs = {plan.leaf({plan.size(), plan.size(), heads * width})};
            n.numbers = {heads, width, 1 + plan.draws.below(3)};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return join_heads(repeat_heads(split_heads(x[0], n.numbers[0]), n.numbers[2]));
          },
          [](const Node& n, const auto& x) {
            return naive_join(naive_heads(x[0], 0, n.numbers[0], n.numbers[1], n.numbers[2]));
          }),
      op(
          "rotary",
          [](Plan& plan, Node& n) {
            Place sizes = sizes_of(plan.shape(static_cast<int>(plan.draws.below(3))));
            sizes.push_back(plan.size());
            sizes.push_back(2 * (1 + plan.draws.below(4)));
            n.inputs = {plan.leaf(shape_of(sizes))};
            n.numbers = {plan.draws.below(3)};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return rotary(x[0], rotary_table(x[0].size(-2) + 3, x[0].size(-1)), n.numbers[0]);
          },
          [](const Node& n, const auto& x) { return naive_rotary(x[0], n.numbers[0]); }),
      op(
          "packed_rotary",
          [](Plan& plan, Node& n) {
            const Index keys = 1 + plan.draws.below(2), group = 1 + plan.draws.below(2),
                        width = 2 * (1 + plan.draws.below(3));
            n.inputs = {plan.leaf({plan.size(), plan.size(), (keys * group + 2 * keys) * width})};
            n.numbers = {plan.draws.below(3), keys, group, width};
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return packed_rotary(x[0], static_cast<int>(n.numbers[1] * n.numbers[2]),
                                 rotary_table(x[0].size(1) + 3, n.numbers[3]), n.numbers[0],
                                 static_cast<int>(n.numbers[1]));
          },
          [](const Node& n, const auto& x) {
            const Index keys = n.numbers[1], queries = keys * n.numbers[2], width = n.numbers[3];
            const auto turned = [&](Index from, Index heads) {
              return naive_join(
                  naive_rotary(naive_heads(x[0], from, heads, width, 1), n.numbers[0]));
            };
            return naive_concat(
                std::vector{turned(0, queries), turned(queries * width, keys),
                            naive_slice(x[0], 2, (queries + keys) * width, x[0].shape[2])},
                2);
          }),
      op(
          "token_shift",
          [](Plan& plan, Node& n) {
            n.inputs = {plan.ranked(2)};
            Index left = plan.of(n.inputs[0])[-1];
            for (int i = 0; i < 3; ++i) {
              n.numbers.push_back(plan.draws.below(left + 1));
              left -= n.numbers.back();
            }
            n.numbers.push_back(left);
            return true;
          },
          [](const Node& n, const Tensors& x) {
            return token_shift(x[0], {n.numbers[0], n.numbers[1], n.numbers[2], n.numbers[3]});
          },
          [](const Node& n, const auto& x) {
            return std::decay_t<decltype(x[0])>::from(x[0].shape, x[0].is_exact, [&](Place p) {
              Index back = 0;
              for (Index end = n.numbers[0]; p.back() >= end; end += n.numbers[++back]) {
              }
              Index& time = p[p.size() - 2];
              if (time < back) return std::decay_t<decltype(x[0].elements[0])>();
              time -= back;
              return x[0](p);
            });
          }),
  };
}

}  // namespace gradus::trust
