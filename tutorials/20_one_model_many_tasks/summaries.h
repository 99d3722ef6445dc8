/// @file
/// Chapter 20: which words of a summary are right, and where attention goes while it is written.
#pragma once

#include "tutorials/20_one_model_many_tasks/targets.h"

// [words]
inline const std::vector<std::string> kWords = {"first name", "surname", "deed", "thing", "town"};

/// For each kind of word in a summary: how many are right, given the true words before.
inline std::vector<double> words_right(const Gpt& model, const Rows& reports) {
  const NoGrad no_grad;
  const auto [inputs, targets] = batch_of(reports);
  const IndexTensor best = argmax(model(inputs), -1);
  std::vector<double> right(kWords.size());
  const std::array<Index, 5> after = {0, 1, 2, 4, 6};  // "a" and "in" stand between
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Index first = Index(i) * inputs.size(1) + std::ssize(reports[i].prompt) - 1;
    for (std::size_t word = 0; word < right.size(); ++word) {
      const Index at = first + after[word];
      right[word] += double(best.data()[at] == targets.data()[at]) / double(reports.size());
    }
  }
  return right;
}

/// A line for each deed: how many of its things are right, given the true words before.
inline std::string things_right(const Course& course, const Gpt& model) {
  const NoGrad no_grad;
  const Rows& reports = course.held_out[2];
  const auto [inputs, targets] = batch_of(reports);
  const IndexTensor best = argmax(model(inputs), -1);
  std::map<std::string, std::map<std::string, std::array<double, 2>>> counts;  // right, all
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Index at = Index(i) * inputs.size(1) + std::ssize(reports[i].prompt) - 1 + 4;
    const Tokens& answer = reports[i].answer;  // first name, surname, deed, a, thing
    auto& [right, total] = counts[course.words.words[answer[2]]][course.words.words[answer[4]]];
    right += double(best.data()[at] == targets.data()[at]), total += 1;
  }
  std::string lines;
  char line[80];
  for (const auto& [deed, things] : counts) {
    std::snprintf(line, sizeof line, "%-8s", deed.c_str()), lines += line;
    for (const auto& [thing, count] : things) {
      std::snprintf(line, sizeof line, "  %-8s %.2f", thing.c_str(), count[0] / count[1]);
      lines += line;
    }
    lines += "\n";
  }
  return lines;
}
// [words]

// [copies]
/// Lists all weights of at least a half at the end of a report and in its summary.
inline void long_copies(const Course& course, const Gpt& model) {
  const Part part("long_copies");
  const Row row = row_of(course.words, kShown[2]);
  const IndexTensor inputs = batch_of({row}).inputs;
  const Index length = inputs.size(1), heads = model.config.n_head;
  const AttentionOptions options{.causal = true, .bias = model.wpe.bias(length, length)};
  const auto word = [&](Index t) { return course.words.words[inputs.data()[t]].c_str(); };
  const NoGrad no_grad;
  Tensor x = model.wpe.embed(model.wte(inputs));
  std::printf("  reads       looks at      block  head  weight\n");
  for (std::size_t b = 0; b < model.h.size(); x = model.h[b++](x, options)) {
    const MultiHeadAttention& attn = model.h[b].attn;
    const Tensor y = model.h[b].ln_1(x), q = split_heads(attn.query(y), heads);
    const Tensor weights = attention_weights(q, split_heads(attn.key(y), heads), options);
    for (Index t = std::ssize(row.prompt) - 1; t < length; ++t) {
      for (Index i = 0; i < heads * length; ++i) {  // [H, T, T]: head i / T looks at i % T
        const Scalar weight = weights.data()[(i / length * length + t) * length + i % length];
        if (weight < Scalar(0.5)) continue;
        std::printf("%2d %-11s %2d %-11s %4d %5d %7.2f\n", int(t), word(t), int(i % length),
                    word(i % length), int(b + 1), int(i / length + 1), double{weight});
      }
    }
  }
}
// [copies]
