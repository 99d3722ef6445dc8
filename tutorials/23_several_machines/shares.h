/// @file
/// Chapter 23: is a batch's gradient the mean of the gradients of its shares?
#pragma once

#include "pocket/gpt.h"
#include "pocket/ranks.h"
#include "tutorials/common/part.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace course;
using ladder::Tales;

// [small]
inline Gpt small_gpt(const Tales& tales, std::uint64_t seed, Scalar dropout = 0) {
  GptConfig config{.vocab_size = tales.characters.vocab_size(), .n_positions = 32};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = dropout;
  return Gpt(config, seed);
}
// [small]

// [slope]
/// The gradient, at w = 1, of the mean of (w x - y)^2 over n rows from `first` on.
inline double slope(Index first, Index n) {
  const Tensor x = tensor({1, 2, 3, 4}), y = tensor({3, 2, 1, 8});
  Tensor w = scalar(1).set_requires_grad();
  const Tensor error = w * slice(x, 0, first, first + n) - slice(y, 0, first, first + n);
  backward(mean(error * error));
  return w.grad().item();
}
// [slope]

inline void four_rows() {
  const Part part("four_rows");
  // [four_rows]
  std::printf("all four rows        %6.2f\n", slope(0, 4));
  std::printf("two and two          %6.2f and %6.2f, mean %6.2f\n", slope(0, 2), slope(2, 2),
              (slope(0, 2) + slope(2, 2)) / 2);
  std::printf("three and one        %6.2f and %6.2f, mean %6.2f\n", slope(0, 3), slope(3, 1),
              (slope(0, 3) + slope(3, 1)) / 2);
  std::printf("  weighted by rows                      %6.2f\n",
              (3 * slope(0, 3) + 1 * slope(3, 1)) / 4);
  // [four_rows]
}

// [rows]
/// Rows first to end of a batch.
inline Batch rows(const Batch& all, Index first, Index end) {
  const Index length = all.inputs.size(1);
  const auto cut = [&](const IndexTensor& x) {
    return IndexTensor({end - first, length},
                       Tokens(x.begin() + first * length, x.begin() + end * length));
  };
  return {cut(all.inputs), cut(all.targets)};
}

/// All numbers of the gradient, one after the other; the key is for dropout.
inline Tensor gradient(Gpt model, const Batch& batch, std::uint64_t key = 1) {
  const Training training(key, 0);
  const auto list = parameters(model);
  for (NamedTensor x : list) x.tensor.zero_grad();
  backward(model.loss(batch.inputs, batch.targets));
  std::vector<Scalar> all;
  for (const Tensor& x : gradients(list)) all.insert(all.end(), x.begin(), x.end());
  return tensor({std::ssize(all)}, all);
}

inline double largest(const Tensor& x) {
  double most = 0;
  for (const Scalar value : x) most = std::max(most, std::abs(double{value}));
  return most;
}
// [rows]

// [dropout]
/// The typical distance of the joined gradient from its mean, relative to that mean.
inline double dropout_noise(const Tales& tales, int shares, bool own_keys) {
  const Batch batch = random_batch(tales.train, 12, 32, {.seed = 1});
  const Gpt model = small_gpt(tales, 1, Scalar(0.2));
  const int draws = 100, share = 12 / shares;
  std::vector<double> sum, squares;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> joined;
    for (int r = 0; r < shares; ++r) {
      const std::uint64_t key = 100 + 12 * draw + (own_keys ? r : 0);
      const Tensor own = gradient(model, rows(batch, r * share, (r + 1) * share), key);
      joined.resize(own.size());
      for (Index i = 0; i < own.size(); ++i) joined[i] += double{own.data()[i]} / shares;
    }
    sum.resize(joined.size()), squares.resize(joined.size());
    for (std::size_t i = 0; i < joined.size(); ++i) {
      sum[i] += joined[i], squares[i] += joined[i] * joined[i];
    }
  }
  double noise = 0, mean = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    noise += (squares[i] - sum[i] * sum[i] / draws) / (draws - 1);
    mean += sum[i] / draws * sum[i] / draws;
  }
  return std::sqrt(noise / mean);
}

inline void dropout(const Tales& tales) {
  const Part part("dropout");
  std::printf("shares  own keys  one key\n");
  for (const int shares : {1, 2, 4, 12}) {
    std::printf("%6d %9.3f %8.3f\n", shares, dropout_noise(tales, shares, true),
                dropout_noise(tales, shares, false));
  }
}
// [dropout]

inline void halves(const Tales& tales) {
  const Part part("halves");
  // [halves]
  const Batch batch = random_batch(tales.train, 12, 32, {.seed = 1});
  Tokens hidden(batch.targets.begin(), batch.targets.end());
  for (Index i = 9 * 32; i < 12 * 32; ++i) hidden[i] = -100;  // the last three rows: no targets
  const Batch padded{batch.inputs, IndexTensor({12, 32}, hidden)};
  const Gpt model = small_gpt(tales, 1), dropping = small_gpt(tales, 1, Scalar(0.2));
  const auto print = [](const char* what, const Tensor& got, const Tensor& whole) {
    const double error = largest(got - whole) / largest(whole);
    error < 1e-6 ? std::printf("%-36s below 1e-6\n", what)
                 : std::printf("%-36s    %.5f\n", what, error);
  };
  const auto compare = [&](const char* what, const Gpt& model, const Batch& all, Index cut,
                           Scalar share) {
    const Tensor parts = gradient(model, rows(all, 0, cut), 2) * share +
                         gradient(model, rows(all, cut, 12), 3) * (1 - share);
    print(what, parts, gradient(model, all));
  };
  compare("6 and 6 rows, mean", model, batch, 6, Scalar(0.5));
  compare("9 and 3 rows, mean", model, batch, 9, Scalar(0.5));
  compare("9 and 3 rows, 3/4 and 1/4", model, batch, 9, Scalar(0.75));
  compare("192 and 96 targets, mean", model, padded, 6, Scalar(0.5));
  compare("192 and 96 targets, 2/3 and 1/3", model, padded, 6, Scalar(2) / 3);
  compare("6 and 6 rows, dropout, own keys", dropping, batch, 6, Scalar(0.5));
  print("all 12 rows, dropout, another key", gradient(dropping, batch, 2),
        gradient(dropping, batch));
  // [halves]
}
