/// @file
/// Chapter 24: why the loss hardly sees epsilon: loss by loss and norm by norm.
#pragma once

#include <optional>

#include "tutorials/24_other_peoples_weights/bert_judged.h"

// [epsilon]
inline double factor(double variance) { return std::sqrt(variance / (variance + 1e-5)); }

inline Tensor variance(const Tensor& x) {
  const Tensor c = x - mean(x, -1, {.keepdim = true});
  return mean(c * c, -1);
}

/// The variance of each vector that a norm gets, norm after norm.
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

/// Prints, for each norm alone, how far an epsilon of 1e-5 moves the logits.
inline void epsilon(PublishedBert& model, const BertJudge& judge) {
  const Part part("epsilon");
  const auto met = variances(model, judge.sentence);
  const auto& blocks = model.model.encoder.layers;
  const std::pair<const char*, const LayerNorm*> norms[] = {
      {"embeddings", &model.model.encoder.norm}, {"block 0, ln_1", &blocks[0].ln_1},
      {"block 0, ln_2", &blocks[0].ln_2},        {"block 1, ln_1", &blocks[1].ln_1},
      {"block 1, ln_2", &blocks[1].ln_2},        {"the head's", &model.model.transform_norm}};
  std::printf("norm           least variance    factor  logits apart\n");
  std::printf("in none        %24s  %12.1e\n", "", judge.distance(std::cref(model)));
  for (std::size_t i = 0; i < met.size(); ++i) {
    const double least = *std::min_element(met[i].begin(), met[i].end());
    model.details.only = norms[i].second, model.details.epsilon = Scalar(1e-5);
    std::printf("%-13s  %14.5f  %.6f  %12.1e\n", norms[i].first, least, factor(least),
                judge.distance(std::cref(model)));
    model.details = {};
  }
}
// [epsilon]

// [asked]
/// For each row and each piece y: the loss's change by the formula, delta (z_y - sum of p_j z_j).
/// `variance` has the variance of the head's norm's input, row by row.
inline std::vector<double> by_formula(const PublishedBert& model, const Tensor& right,
                                      const std::vector<double>& variance) {
  const Tensor bias = reshape(model.model.transform_norm.bias, {1, -1});
  const Tensor z =  // the part that the head's norm scales: without its bias and the bias [V]
      right - matmul(bias, model.model.words.weight, {.b = true}) - model.word_bias;
  const Tensor less = z - sum(softmax(right) * z, -1, {.keepdim = true});
  std::vector<double> result(less.begin(), less.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] *= 1 - factor(variance[i / right.size(-1)]);
  }
  return result;
}

/// Changes epsilon and looks at each loss by itself: at [MASK], which the model must predict, and
/// at the pieces that are not hidden, which it predicts as well.
inline void asked(PublishedBert& model, const BertJudge& judge) {
  const NoGrad no_grad;
  std::optional<Part> part(std::in_place, "asked");
  const auto logits = [&](const Details& details) {
    model.details = details;
    return reshape(model(judge.inputs), {judge.inputs.size(), -1});
  };
  const Tensor other = logits({.epsilon = Scalar(1e-5)}), right = logits({});
  Tokens seen(judge.inputs.begin(), judge.inputs.end());
  for (std::int32_t& token : seen) {
    for (const char* mark : {"[CLS]", "[MASK]", "[SEP]"}) {
      if (token == judge.pieces.number.at(mark)) token = -100;
    }
  }
  const IndexTensor visible(judge.inputs.shape(), seen);
  const Tensor one = log_softmax(right), two = log_softmax(other);
  const std::vector<double> variance = variances(model, judge.inputs).back();
  const std::vector<double> expected = by_formula(model, right, variance);
  constexpr double kLeast = 1e-5;  // a loss that moves by less neither rises nor falls
  std::string formula;
  const auto show = [&](const char* what, const IndexTensor& targets, bool first, bool others) {
    std::vector<double> changes;
    int rise = 0, fall = 0, same = 0, tops = 0;
    double size = 0, off = 0;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Tensor row = slice(right, 0, i, i + 1);
      const Index at = i * right.size(-1) + targets.data()[i];
      const bool top = right.data()[at] == *std::max_element(row.begin(), row.end());
      if (!(top ? first : others)) continue;
      const double change = double{one.data()[at]} - two.data()[at];
      rise += change > kLeast, fall += change < -kLeast;
      changes.push_back(change), tops += top;
      size += std::abs(change), off += std::abs(change - expected[at]);
      same += std::abs(change) > kLeast && (change > 0) == (expected[at] > 0);
    }
    const auto [mean, error] = mean_and_error(changes);
    const auto n = double(changes.size());
    std::printf("%-25s  %4d   %4d  %4d  %4d   %.1e   %+.1e ± %.1e\n", what, int(n), tops, rise,
                fall, size / n, mean, error);
    char line[100];
    std::snprintf(line, 100, "%-25s  %4d of %4d  %14.1e\n", what, same, rise + fall, off / n);
    formula += line;
  };
  std::printf("%-25s         right              one        their mean\n", "");
  std::printf("%-25s losses  first  rise  fall  moves by   moves by\n", "");
  show("[MASK], right piece first", judge.targets, true, false);
  show("[MASK], another first", judge.targets, false, true);
  show("[MASK], all", judge.targets, true, true);
  show("not hidden, all", visible, true, true);
  part.emplace("formula");
  std::printf("%-25s  sign is right   off, on average\n%s", "by the formula", formula.c_str());
  const auto median = [&](const IndexTensor& targets) {
    std::vector<double> of;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] >= 0) of.push_back(variance[i]);
    }
    std::ranges::sort(of);
    return of[of.size() / 2];
  };
  std::printf("median variance at the head's norm: [MASK] %.4f, not hidden %.4f\n",
              median(judge.targets), median(visible));
}
// [asked]
