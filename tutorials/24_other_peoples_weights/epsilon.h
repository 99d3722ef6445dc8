/// @file
/// Chapter 24: why the loss does not see epsilon: norm by norm, token by token, question by
/// question.
#pragma once

#include <optional>

#include "tutorials/24_other_peoples_weights/bert_judged.h"

// [epsilon]
inline double factor(double variance) { return std::sqrt(variance / (variance + 1e-5)); }

inline Tensor variance(const Tensor& x) {
  const Tensor c = x - mean(x, -1, {.keepdim = true});
  return mean(c * c, -1);
}

/// The variance of each vector that the norms meet, norm after norm.
inline std::vector<std::vector<double>> variances(PublishedBert& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  std::vector<std::vector<double>> result;
  model.details.look = [&](const LayerNorm&, const Tensor& x) {
    const Tensor v = variance(x);
    result.emplace_back(v.begin(), v.end());
  };
  model(tokens);
  model.details.look = {};
  return result;
}

/// For each norm alone: what an epsilon of 1e-5 does to the logits.
inline void epsilon(PublishedBert& model, const BertJudge& judge) {
  const Part part("epsilon");
  const auto met = variances(model, judge.sentence);
  const auto& blocks = model.model.encoder.layers;
  const std::pair<const char*, const LayerNorm*> norms[] = {
      {"embeddings", &model.model.encoder.norm}, {"block 0, ln_1", &blocks[0].ln_1},
      {"block 0, ln_2", &blocks[0].ln_2},        {"block 1, ln_1", &blocks[1].ln_1},
      {"block 1, ln_2", &blocks[1].ln_2},        {"the head's", &model.model.transform_norm}};
  std::printf("norm           least variance    factor  logits apart\n");
  std::printf("in none        %24s  %12s\n", "", shown(judge.distance(std::cref(model))).c_str());
  for (std::size_t i = 0; i < met.size(); ++i) {
    const double least = *std::min_element(met[i].begin(), met[i].end());
    model.details.only = norms[i].second, model.details.epsilon = Scalar(1e-5);
    std::printf("%-13s  %14.5f  %.6f  %12s\n", norms[i].first, least, factor(least),
                shown(judge.distance(std::cref(model))).c_str());
    model.details = {};
  }
}

/// The part of logits [..., V] that the head's norm scales: without its bias and the bias [V].
inline Tensor scaled(const PublishedBert& model, const Tensor& logits) {
  const Tensor bias = reshape(model.model.transform_norm.bias, {1, -1});
  return logits - matmul(bias, model.model.words.weight, {.b = true}) - model.word_bias;
}
// [epsilon]

/// The head's norm, token by token: where epsilon changes most, then the two [MASK].
inline void positions(PublishedBert& model, const BertJudge& judge) {
  const Part part("positions");
  const NoGrad no_grad;
  const std::vector<double> variance = variances(model, judge.sentence).back();
  const IndexTensor& tokens = judge.sentence;
  const Tensor right = model(tokens);
  model.details.epsilon = Scalar(1e-5), model.details.only = &model.model.transform_norm;
  const Tensor other = model(tokens);
  model.details = {};
  const auto row = [](const Tensor& x, Index t) { return reshape(slice(x, 1, t, t + 1), {-1}); };
  std::vector<Index> order, masks;
  for (Index t = 0; t < tokens.size(); ++t) {
    (judge.pieces.pieces[tokens.data()[t]] == "[MASK]" ? masks : order).push_back(t);
  }
  std::ranges::sort(order, std::greater(),
                    [&](Index t) { return apart(row(other, t), row(right, t)); });
  order.resize(2), order.insert(order.end(), masks.begin(), masks.end());
  std::printf("token   variance  1 - factor  largest z  logits apart\n");
  for (const Index t : order) {
    const Tensor mine = row(right, t), z = scaled(model, reshape(mine, {1, -1}));
    std::printf("%-6s  %8.5f  %10.1e  %9.1f  %12s\n", judge.pieces.pieces[tokens.data()[t]].c_str(),
                variance[t], 1 - factor(variance[t]), apart(z, zeros(z.shape())),
                shown(apart(row(other, t), mine)).c_str());
  }
}

// [asked]
/// For each row and each piece y: the loss's change by the formula, delta (z_y - sum of p_j z_j).
inline std::vector<double> by_formula(PublishedBert& model, const BertJudge& judge,
                                      const Tensor& right) {
  const Tensor z = scaled(model, right);
  const Tensor less = z - sum(softmax(right) * z, -1, {.keepdim = true});
  const std::vector<double> variance = variances(model, judge.inputs).back();
  std::vector<double> result(less.begin(), less.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] *= 1 - factor(variance[i / right.size(-1)]);
  }
  return result;
}

constexpr double kLeast = 1e-5;  // a loss that moves by less neither rises nor falls

/// Epsilon or GELU changed on the rows of the loss: at [MASK], where it asks, and at the pieces
/// that the model sees, for which it is asked as well. Each loss by itself.
inline void asked(PublishedBert& model, const BertJudge& judge) {
  const NoGrad no_grad;
  std::optional<Part> part(std::in_place, "asked");
  const auto logits = [&](const Details& details) {
    model.details = details;
    return reshape(model(judge.inputs), {judge.inputs.size(), -1});
  };
  const Tensor right = logits({});
  Tokens seen(judge.inputs.begin(), judge.inputs.end());
  for (std::int32_t& token : seen) {
    for (const char* mark : {"[CLS]", "[MASK]", "[SEP]"}) {
      if (token == judge.pieces.number.at(mark)) token = -100;
    }
  }
  const IndexTensor visible(judge.inputs.shape(), seen);
  const auto show = [&](const char* what, const IndexTensor& targets, const Tensor& other) {
    const Tensor one = log_softmax(right), two = log_softmax(other);
    std::vector<double> changes;
    double size = 0, logit = 0;
    int rise[] = {0, 0}, fall[] = {0, 0};  // where the right piece is not first, is first
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Tensor row = slice(right, 0, i, i + 1);
      const Index at = i * right.size(-1) + targets.data()[i];
      const bool first = right.data()[at] == *std::max_element(row.begin(), row.end());
      const double change = one.data()[at] - two.data()[at];
      changes.push_back(change), size += std::abs(change);
      logit += apart(slice(other, 0, i, i + 1), row);
      rise[first] += change > kLeast, fall[first] += change < -kLeast;
    }
    const auto n = double(changes.size());
    std::printf("%-17s  %4d  %4d   %3d  %4d    %.1e    %.1e   %+.1e\n", what, rise[1], fall[1],
                rise[0], fall[0], logit / n, size / n, mean_and_error(changes).first);
  };
  const Tensor epsilon = logits({.epsilon = Scalar(1e-5)}), tanh = logits({.activation = gelu});
  model.details = {};
  std::printf("%-17s  right first   not first   one logit  one loss  their mean\n", "");
  std::printf("%-17s  rise  fall  rise  fall  moves by   moves by  moves by\n", "changed, at");
  show("epsilon, [MASK]", judge.targets, epsilon);
  show("epsilon, all seen", visible, epsilon);
  part.emplace("asked_gelu");
  show("GELU, [MASK]", judge.targets, tanh);
  show("GELU, all seen", visible, tanh);
  part.emplace("formula");
  const std::vector<double> expected = by_formula(model, judge, right);
  const Tensor one = log_softmax(right), two = log_softmax(epsilon);
  for (const auto& [what, targets] : {std::pair("[MASK]", judge.targets), {"seen", visible}}) {
    int same = 0, n = 0, all = 0;
    double off = 0;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Index at = i * right.size(-1) + targets.data()[i];
      const double change = one.data()[at] - two.data()[at];
      ++all, off += std::abs(change - expected[at]);
      if (std::abs(change) <= kLeast) continue;
      ++n, same += (change > 0) == (expected[at] > 0);
    }
    std::printf("%-6s  rise or fall: right for %3d of %3d; off by %.1e on average\n", what, same, n,
                off / all);
  }
}
// [asked]
