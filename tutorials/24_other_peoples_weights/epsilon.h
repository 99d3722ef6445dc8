/// @file
/// Chapter 24: why the loss does not see epsilon: norm by norm, token by token, question by
/// question.
#pragma once

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
  model.details = {.activation = gelu};
  const Tensor tanh = model(tokens);
  model.details = {};
  const auto row = [](const Tensor& x, Index t) { return reshape(slice(x, 1, t, t + 1), {-1}); };
  std::vector<Index> order, masks;
  for (Index t = 0; t < tokens.size(); ++t) {
    (judge.pieces.pieces[tokens.data()[t]] == "[MASK]" ? masks : order).push_back(t);
  }
  std::ranges::sort(order, std::greater(),
                    [&](Index t) { return apart(row(other, t), row(right, t)); });
  order.resize(2), order.insert(order.end(), masks.begin(), masks.end());
  std::printf("                               largest   logits apart\n");
  std::printf("token   variance  1 - factor   logit     epsilon   GELU\n");
  for (const Index t : order) {
    const Tensor mine = row(right, t);
    std::printf("%-6s  %8.5f  %10.1e  %5.1f      %7s   %s\n",
                judge.pieces.pieces[tokens.data()[t]].c_str(), variance[t], 1 - factor(variance[t]),
                apart(mine, model.word_bias), shown(apart(row(other, t), mine)).c_str(),
                shown(apart(row(tanh, t), mine)).c_str());
  }
}

// [asked]
/// Epsilon or GELU changed on the rows of the loss: where it asks, and at the pieces that are seen,
/// which are asked for themselves. As a control, both are also given the other's median factor.
inline void asked(PublishedBert& model, const BertJudge& judge) {
  const NoGrad no_grad;
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
  const std::vector<double> variance = variances(model, judge.inputs).back();
  const auto median = [&](const IndexTensor& targets) {
    std::vector<double> asked;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] >= 0) asked.push_back(variance[i]);
    }
    std::ranges::sort(asked);
    return asked[asked.size() / 2];
  };
  // The logits when the head's norm divides each vector by one number more than it does.
  const auto times = [&](double factor) {
    const Tensor fixed = matmul(reshape(model.model.transform_norm.bias, {1, -1}),
                                model.model.words.weight, {.b = true}) +
                         model.word_bias;
    return fixed + Scalar(factor) * (right - fixed);
  };
  std::string more;  // for the table of what is largest
  const auto show = [&](const char* what, const IndexTensor& targets, const Tensor& other) {
    const Tensor one = log_softmax(right), two = log_softmax(other);
    double logit = 0, most = 0, absolute = 0;
    std::vector<double> changes;
    int moved = 0, largest = 0, both = 0;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Tensor row = slice(right, 0, i, i + 1);
      const Index at = i * right.size(-1) + targets.data()[i];
      const double change = one.data()[at] - two.data()[at];
      const bool top = right.data()[at] == *std::max_element(row.begin(), row.end());
      changes.push_back(change), largest += top, both += top && change > 0;
      moved += std::abs(change) > 1e-4, absolute += std::abs(change);
      most = std::max(most, std::abs(change));
      logit = std::max(logit, apart(slice(other, 0, i, i + 1), row));
    }
    const auto [mean, error] = mean_and_error(changes);
    std::printf("%-21s  %11.1e  %4d of %4d  %+.1e ± %.1e\n", what,
                absolute / double(changes.size()), moved, int(changes.size()), mean, error);
    char line[100];
    std::snprintf(line, 100, "%-21s  %.1e  %.1e  %4d of %4d\n", what, logit, most, both, largest);
    more += line;
  };
  {
    const Part part("asked");
    std::printf("%-21s  one loss    moved by      their mean\n", "");
    std::printf("%-21s  moves by    > 1e-04       moves by\n", "changed, at");
    const Tensor epsilon = logits({.epsilon = Scalar(1e-5)}), tanh = logits({.activation = gelu});
    show("epsilon, seen", visible, epsilon);
    show("[MASK]'s factor, seen", visible, times(factor(median(judge.targets))));
    show("epsilon, [MASK]", judge.targets, epsilon);
    show("seen's factor, [MASK]", judge.targets, times(factor(median(visible))));
    show("GELU, seen", visible, tanh);
    show("GELU, [MASK]", judge.targets, tanh);
  }
  const Part part("at_most");
  std::printf("%-21s  change, at most   where the right piece\n", "");
  std::printf("%-21s  a logit  a loss   is largest, losses rise\n%s", "changed, at", more.c_str());
  std::printf("median variance at the head's norm: seen %.4f, [MASK] %.4f\n", median(visible),
              median(judge.targets));
  std::printf("its 1 - factor: seen %.1e, [MASK] %.1e\n", 1 - factor(median(visible)),
              1 - factor(median(judge.targets)));
}
// [asked]
