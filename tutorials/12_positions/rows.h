/// @file
/// The tasks of chapter 12, the training, and measurements of tables and attention.
#pragma once

#include <numbers>

#include "figures.h"
#include "pocket/position.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;

// [who]
struct Rows {
  IndexTensor letters, answers;
};

/// Rows of eight letters with one A (1) and one B (2), and which came first: 0 for A, 1 for B. Each
/// row is followed by its twin, in which A and B have changed positions.
inline Rows who_was_first(Index count, const RandomKey& key) {
  Tokens letters, answers;
  for (Index i = 0; i < count / 2; ++i) {
    const RandomKey own{key.seed, key.step, static_cast<std::uint32_t>(i)};
    Tokens row;
    for (Index t = 0; t < 8; ++t) {
      row.push_back(static_cast<std::int32_t>(3 + uniform_index(own, t, 5)));
    }
    const Index a = uniform_index(own, 8, 8), b = (a + 1 + uniform_index(own, 9, 7)) % 8;
    for (const bool twin : {false, true}) {
      row[a] = twin ? 2 : 1, row[b] = twin ? 1 : 2;
      letters.insert(letters.end(), row.begin(), row.end());
      answers.push_back(twin ? a < b : b < a);
    }
  }
  return {IndexTensor({count, 8}, letters), IndexTensor({count}, answers)};
}

// [who]

// [letter_before]
/// Random letters; the answer at each position is the letter before, and nothing at the first.
template <Index length>
Rows letter_before(Index count, const RandomKey& key) {
  Tokens letters, answers;
  for (Index i = 0; i < count * length; ++i) {
    answers.push_back(i % length > 0 ? letters.back() : -100);
    letters.push_back(static_cast<std::int32_t>(uniform_index(key, i, 8)));
  }
  return {IndexTensor({count, length}, letters), IndexTensor({count, length}, answers)};
}

// [letter_before]

// [of_tables]
/// The numbers of row t of a table.
inline Tensor row(const Tensor& table, Index t) { return slice(table, 0, t, t + 1); }

inline double length(const Tensor& x) { return std::sqrt(double{sum(x * x).item()}); }

inline double largest(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}

// [of_tables]

// [alike]
/// The cosine between each two rows of a table [T, C]: [T, T].
inline Tensor cosines(const Tensor& table) {
  const Tensor unit = table / sqrt(sum(table * table, -1, {.keepdim = true}));
  return matmul(unit, unit, {.b = true});
}

inline double mean_of_neighbours(const Tensor& x) {
  double total = 0;
  for (Index t = 0; t + 1 < x.size(0); ++t) total += x.data()[t * x.size(1) + t + 1];
  return total / double(x.size(0) - 1);
}

/// The mean of x [T, T] over rows [a, b) and columns [c, d), without the diagonal.
inline double mean_of(const Tensor& x, Index a, Index b, Index c, Index d) {
  double total = 0, n = 0;
  for (Index t = a; t < b; ++t) {
    for (Index s = c; s < d; ++s) {
      if (s != t) total += x.data()[t * x.size(1) + s], ++n;
    }
  }
  return total / n;
}

/// How much higher positions 16 to 30 score as keys than 0 to 9, as the mean over all queries and
/// heads. Attention gets only positions [1, 32, C], without letters.
inline double lead_of_late(const MultiHeadAttention& attention, const Tensor& positions) {
  const Tensor q = split_heads(attention.query(positions), attention.num_heads);
  const Tensor k = attention.key_values(positions).keys;
  const Tensor scores = matmul(q, k, {.b = true}) / std::sqrt(Scalar(q.size(-1)));
  const Tensor by_key = mean(reshape(scores, {-1, 32}), 0);  // [32]
  return double{mean(slice(by_key, 0, 16, 31), 0).item()} -
         double{mean(slice(by_key, 0, 0, 10), 0).item()};
}

// [alike]

// [trained]
/// Trains a model on batches of 16 rows. Returns the share of right answers on new rows.
template <class Model>
double trained(Model& model, Rows (*draw)(Index, const RandomKey&), std::uint64_t seed,
               int steps = 200) {
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 20, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const Rows rows = draw(16, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(rows.letters), rows.answers);
  });
  const Rows test = draw(400, {.seed = 1000});
  return accuracy(model(test.letters), test.answers);
}

// [trained]

// [between]
/// The share of right answers at positions [from, to) of logits [B, T, N].
inline double right_between(const Tensor& logits, const IndexTensor& answers, Index from,
                            Index to) {
  const IndexTensor best = argmax(logits, -1);
  double right = 0, n = 0;
  for (Index i = 0; i < answers.size(); ++i) {
    const Index t = i % answers.size(1);
    if (answers.data()[i] < 0 || t < from || t >= to) continue;
    right += best.data()[i] == answers.data()[i], ++n;
  }
  return right / n;
}

// [between]

/// M with p_{t + d} = M p_t for every t: a rotation of each pair, [C, C].
inline Tensor shift_matrix(Index d, Index channels) {
  Tensor m = zeros({channels, channels});
  for (Index k = 0; k < channels / 2; ++k) {
    const double a = angle(d, k, channels, 10000);
    Scalar* block = m.mutable_data() + 2 * k * channels + 2 * k;
    block[0] = Scalar(std::cos(a)), block[1] = Scalar(std::sin(a));
    block[channels] = Scalar(-std::sin(a)), block[channels + 1] = Scalar(std::cos(a));
  }
  return m;
}
