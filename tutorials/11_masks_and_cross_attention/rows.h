/// @file
/// What chapter 11's program needs beside its subject: rows to write backwards, how well they were
/// written, and printing.
#pragma once

#include <cstdio>
#include <numeric>

#include "figures.h"
#include "pocket/attention.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;

inline const Names kGreeting = {"Hello", "I", "love", "you"}, kNight = {"Good", "night", "-", "-"};
inline constexpr std::int32_t kPadding = 0, kEnd = 1;

/// Matrix [T, S] of row b and head 0 of x [B, H, T, S].
inline Tensor matrix(const Tensor& x, Index b) {
  return reshape(slice(slice(x, 0, b, b + 1), 1, 0, 1), {x.size(2), x.size(3)});
}

/// Runs what prints a part of the output.
inline void run(const char* name, void (*part)()) {
  const Part here(name);
  part();
}

/// The first four numbers of x.
inline void print_four(const char* what, const Tensor& x) {
  std::printf("%-28s", what);
  for (Index i = 0; i < 4; ++i) std::printf(" %7.3f", double{x.data()[i]});
  std::printf("\n");
}

/// Which positions of y and z [1, T, C] are equal, bit for bit.
inline void print_same(const char* what, const Tensor& y, const Tensor& z) {
  const Index channels = y.size(2);
  std::printf("%-12s", what);
  for (Index t = 0; t < y.size(); t += channels) {
    const bool same = std::equal(y.data() + t, y.data() + t + channels, z.data() + t);
    std::printf(" %8s", same ? "same" : "changed");
  }
  std::printf("\n");
}

inline void print_shape(const char* what, const Tensor& x) {
  std::printf("%-10s %s\n", what, words(x.shape()).c_str());
}

inline Scalar largest(const Tensor& x) { return *std::max_element(x.begin(), x.end()); }

/// A part: how much each of four outputs depends on each input.
inline void print_dependence(const char* part, const Tensor& depends) {
  const Part here(part);
  print_matrix("causal", depends, kGreeting, kGreeting);
  bool exact = true;
  for (Index i = 0; i < 16; ++i) exact = exact && (i % 4 <= i / 4 || depends.data()[i] == 0);
  std::printf("above the diagonal: %s\n", exact ? "exactly 0" : "not 0");
}

/// A part: the largest gradient that a plain sum of an output finds, and that random weights find.
inline void print_blind(const char* part, Scalar plain, Scalar random) {
  const Part here(part);
  std::printf("a plain sum:    %s\n", plain < 1e-6 ? "below 0.000001" : "above it");
  std::printf("random weights: %.3f\n", double{random});
}

/// 0, 1, 2 ...: the number of each position.
inline IndexTensor numbers(Index count) {
  Tokens list(count);
  std::iota(list.begin(), list.end(), 0);
  return IndexTensor({count}, list);
}

/// What the Reverser is made of; and its padding mask, if that is on.
struct ReverserParts {
  IndexTensor mask(const IndexTensor& source) const {
    return hide_padding ? padding_mask(source, kPadding) : IndexTensor();
  }
  void fields(auto&& f) {
    f("letter", letter), f("position", position), f("encoder", encoder), f("decoder", decoder);
    f("cross", cross), f("output", output);
  }
  bool causal, hide_padding;
  Embedding letter = {}, position = {};
  MultiHeadAttention encoder = {}, decoder = {}, cross = {};
  Linear output = {};
};

struct Rows {
  IndexTensor source, target, next;  // [B, S], [B, 7], [B, 7]
};

/// Rows of three to six different letters (2 to 13), an end and padding.
inline Rows draw_rows(Index count, const RandomKey& key, Index source_length = 7) {
  Tokens sources, targets, nexts;
  const auto add = [](Tokens& all, Tokens row, Index length, std::int32_t fill) {
    row.resize(length, fill);
    all.insert(all.end(), row.begin(), row.end());
  };
  for (Index i = 0; i < count; ++i) {
    const RandomKey own{key.seed, key.step, static_cast<std::uint32_t>(i)};
    Tokens source;
    const Index letters = 3 + uniform_index(own, 0, 4);
    for (Index draw = 1; std::ssize(source) < letters; ++draw) {
      const auto letter = static_cast<std::int32_t>(2 + uniform_index(own, draw, 12));
      if (std::find(source.begin(), source.end(), letter) == source.end()) source.push_back(letter);
    }
    source.push_back(kEnd);                               // b d a .
    const Tokens target(source.rbegin(), source.rend());  // . a d b
    Tokens next(target.begin() + 1, target.end());
    next.push_back(kEnd);  // a d b .
    add(sources, source, source_length, kPadding), add(targets, target, 7, kPadding);
    add(nexts, next, 7, -100);  // which cross_entropy skips
  }
  const Shape shape{count, 7};
  return {IndexTensor({count, source_length}, sources), IndexTensor(shape, targets),
          IndexTensor(shape, nexts)};
}

// [write]
/// Writes seven tokens for each source [B, S], the most probable each time: [B, 7].
template <class Model>
IndexTensor write(const Model& model, const IndexTensor& source) {
  const NoGrad no_grad;
  const Tensor h = model.encode(source);
  std::vector<Tokens> rows(source.size(0), Tokens{kEnd});
  Tokens written;
  for (Index t = 1; t <= 7; ++t) {
    Tokens so_far;
    for (const Tokens& row : rows) so_far.insert(so_far.end(), row.begin(), row.end());
    const Tensor logits = model.decode(IndexTensor({source.size(0), t}, so_far), h, source);
    const IndexTensor best = argmax(slice(logits, 1, -1), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(best.data()[i]);
  }
  for (const Tokens& row : rows) written.insert(written.end(), row.begin() + 1, row.end());
  return IndexTensor({source.size(0), 7}, written);
}
// [write]

/// The share of rows that are written without a mistake, up to their end.
template <class Model>
double rows_right(const Model& model, const Rows& rows) {
  const IndexTensor written = write(model, rows.source);
  double right = 0;
  for (Index i = 0; i < rows.next.size(); i += 7) {
    bool same = true;
    for (Index t = i; t < i + 7; ++t) {
      same = same && (rows.next.data()[t] < 0 || rows.next.data()[t] == written.data()[t]);
    }
    right += same;
  }
  return right / static_cast<double>(rows.next.size(0));
}

/// The attention weights of the decoder over the source, [B, 1, T, S].
template <class Model>
Tensor alignment(const Model& model, const IndexTensor& source, const IndexTensor& target) {
  const NoGrad no_grad;
  const Tensor q = split_heads(model.cross.query(model.ask(target)), 1);
  const auto [k, v] = model.cross.key_values(model.encode(source));
  return attention_weights(q, k, {.mask = model.mask(source)});
}

/// The mean weight on the source letter that is to be written, over all letters of all rows.
template <class Model>
double weight_on_the_letter(const Model& model, const Rows& rows) {
  const Tensor weights = alignment(model, rows.source, rows.target);
  const Index length = rows.source.size(1);
  double total = 0, letters = 0;
  for (Index i = 0; i < rows.next.size(); ++i) {
    if (rows.next.data()[i] <= kEnd) continue;
    const auto* source = rows.source.data() + i / 7 * length;
    const Index at = std::find(source, source + length, rows.next.data()[i]) - source;
    total += weights.data()[i * length + at], ++letters;
  }
  return total / letters;
}

/// The mean weight of the decoder's self-attention on the next position, which holds the answer.
template <class Model>
double weight_on_the_next(const Model& model, const Rows& rows) {
  const NoGrad no_grad;
  const Tensor y = model.embed(rows.target);
  const auto [k, v] = model.decoder.key_values(y);
  const Tensor q = split_heads(model.decoder.query(y), 1);
  const Tensor weights = attention_weights(q, k, {.causal = model.causal});
  double total = 0, letters = 0;
  for (Index i = 0; i < rows.next.size(); ++i) {
    if (rows.next.data()[i] <= kEnd) continue;
    total += weights.data()[i * 7 + i % 7 + 1], ++letters;
  }
  return total / letters;
}

/// What models of some seeds did.
struct Judged {
  const char* name;
  std::vector<double> losses = {}, right = {}, with_more = {}, on_the_letter = {}, on_the_next = {};
  std::vector<double> full_stop = {};  // of seed 1: the encoder's weights of the full stop
};

inline void print_judged(const Judged& masked, const Judged& not_causal, const Judged& padding) {
  std::printf("%-16s %-20s  %-18s  %s\n", "", "training loss", "rows right",
              "right, 7 more paddings");
  for (const Judged* runs : {&masked, &not_causal, &padding}) {
    std::printf("%-16s %-20s  %-18s  %s\n", runs->name, spread(runs->losses, 2).c_str(),
                spread(runs->right, 1).c_str(), spread(runs->with_more, 1).c_str());
  }
  const auto print = [](const char* what, const std::vector<double>& weights) {
    std::printf("%s:", what);
    for (const double weight : weights) std::printf(" %.1f", weight);
    std::printf("\n");
  };
  print("all masks: weight on the source letter to write", masked.on_the_letter);
  print("no causal mask: weight on the next position", not_causal.on_the_next);
  print("no causal mask: rows right", not_causal.right);
  print("all masks, seed 1: the encoder's full stop on c a d b e f .", masked.full_stop);
}

/// Draws the alignment for the source "cadbef", and returns what its full stop attends to in the
/// encoder.
template <class Model>
std::vector<double> draw(const Model& model) {
  const auto letters = [](const IndexTensor& tokens) {
    Names names;
    for (const std::int32_t token : tokens) names.emplace_back(1, "-.abcdefghijkl"[token]);
    return names;
  };
  const IndexTensor source = indices({{4, 2, 5, 3, 6, 7, 1}}),
                    target = indices({{1, 7, 6, 3, 5, 2, 4}});
  draw_alignment(matrix(alignment(model, source, target), 0), letters(write(model, source)),
                 letters(source));
  const NoGrad no_grad;
  const Tensor x = model.embed(source);
  const Tensor weights = attention_weights(split_heads(model.encoder.query(x), 1),
                                           model.encoder.key_values(x).keys);  // [1, 1, 7, 7]
  return {weights.end() - 7, weights.end()};
}
