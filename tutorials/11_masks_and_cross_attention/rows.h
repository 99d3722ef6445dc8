/// @file
/// The task of chapter 11: rows to write backwards, how well they were written, and where the model
/// looked.
#pragma once

#include <numeric>

#include "figures.h"
#include "pocket/attention.h"
#include "tutorials/common/plot.h"

using namespace pocket;
using namespace course;

inline constexpr std::int32_t kPadding = 0, kEnd = 1;

/// Matrix [T, S] of row b and head 0 of x [B, H, T, S].
inline Tensor matrix(const Tensor& x, Index b) {
  return reshape(slice(slice(x, 0, b, b + 1), 1, 0, 1), {x.size(2), x.size(3)});
}

inline Scalar largest(const Tensor& x) { return *std::max_element(x.begin(), x.end()); }

// [parts]
/// 0, 1, 2 ...: the number of each position.
inline IndexTensor numbers(Index count) {
  Tokens list(count);
  std::iota(list.begin(), list.end(), 0);
  return IndexTensor({count}, list);
}

/// The parts of the Reverser, and its padding mask if that is on.
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
// [parts]

// [Rows]
struct Rows {
  IndexTensor source, target, next;  // [B, S], [B, 7], [B, 7]
};

/// Rows of three to six different letters (2 to 13), an end token and padding.
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
// [Rows]

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

// [rows_right]
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
// [rows_right]

// [alignment]
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

/// Draws the alignment for the source "cadbef". Returns the encoder's attention weights of its full
/// stop.
template <class Model>
std::vector<double> draw(const Model& model) {
  const IndexTensor source = indices({{4, 2, 5, 3, 6, 7, 1}});
  const IndexTensor target = indices({{1, 7, 6, 3, 5, 2, 4}});
  draw_alignment(matrix(alignment(model, source, target), 0), write(model, source), source);
  const NoGrad no_grad;
  const Tensor x = model.embed(source);
  const Tensor weights = attention_weights(split_heads(model.encoder.query(x), 1),
                                           model.encoder.key_values(x).keys);  // [1, 1, 7, 7]
  return {weights.end() - 7, weights.end()};
}
// [alignment]
