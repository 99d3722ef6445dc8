/// @file
/// Chapter 25: texts that are longer than the texts in training.
#pragma once

#include "figures.h"
#include "pocket/llama.h"
#include "tutorials/25_the_block_of_today/llama_folder.h"
#include "tutorials/ladder/ladder.h"

// [ways]
/// Frequencies for texts that are s times as long as the texts in training.
using Frequencies = std::vector<double>;

inline Frequencies linear(Frequencies frequencies, double s) {
  for (double& f : frequencies) f /= s;
  return frequencies;
}

inline Frequencies larger_base(Index width, double base, double s) {
  return rotary_frequencies(width, base * std::pow(s, double(width) / double(width - 2)));
}
// [ways]

// [by_position]
/// The mean loss at each position of rows of `length` tokens.
inline std::vector<double> losses_by_position(const Llama& model, const Tokens& tokens,
                                              Index length, Index rows) {
  const NoGrad no_grad;
  std::vector<double> losses(length);
  for (Index i = 0; i < rows; ++i) {
    const Batch row = batch_at(tokens, {i * length}, length);
    const Tensor all = log_softmax(model(row.inputs));
    for (Index t = 0; t < length; ++t) {
      losses[t] -= all.data()[t * all.size(-1) + row.targets.data()[t]] / double(rows);
    }
  }
  return losses;
}
// [by_position]

// [lengths]
/// The folder's model was trained on 64 tokens. It reads 256, with three tables.
inline void lengths(Llama model, const Tokens& tokens) {
  const Part part("lengths");
  const Index trained = model.config.max_position_embeddings, length = 4 * trained;
  const Index width = model.config.width();
  const double base = model.config.rope_theta;
  const Frequencies usual = rotary_frequencies(width, base);
  std::vector<std::vector<double>> all;
  for (const Frequencies& frequencies : {usual, linear(usual, 4), larger_base(width, base, 4)}) {
    model.rotate_by(rotary_table(length, frequencies));
    all.push_back(losses_by_position(model, tokens, length, 30));
  }
  print_lengths(all);
  draw_lengths(all);
}
// [lengths]

// [pairs]
/// Slows down one pair at a time, by 4.
inline void pairs(Llama model, const Tokens& tokens) {
  const Part part("pairs");
  const LlamaConfig& c = model.config;
  const Index trained = c.max_position_embeddings, length = 4 * trained;
  const Frequencies usual = rotary_frequencies(c.width(), c.rope_theta);
  const Frequencies larger = larger_base(c.width(), c.rope_theta, 4);
  const auto turns = [](double frequency, Index positions) {
    return frequency * double(positions) / (2 * std::numbers::pi);
  };
  for (int k = -1; k < std::ssize(usual); ++k) {  // -1: none
    Frequencies slowed = usual;
    std::vector<double> turned;
    if (k >= 0) {
      slowed[k] /= 4;
      turned = {turns(usual[k], trained), turns(usual[k], length), turns(larger[k], length)};
    }
    model.rotate_by(rotary_table(length, slowed));
    const auto losses = losses_by_position(model, tokens, length, 30);
    print_pair(k, turned, mean_of(losses, 0, trained), mean_of(losses, length - trained, length));
  }
}
// [pairs]

// [longer]
/// A copy with its own numbers.
inline Llama copy_of(Llama& model) {
  Llama copy(model.config);
  NamedTensors tensors;
  for (const NamedTensor& x : parameters(model)) tensors[x.name] = x.tensor;
  fill(copy, tensors);
  return copy;
}

/// Trains on rows of `length` characters.
inline void learn(Llama& model, const Tokens& tokens, int steps, Index rows, Index length,
                  double rate, std::uint64_t seed) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = steps / 16, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{seed, static_cast<std::uint32_t>(step)};
    const auto [inputs, targets] = random_batch(tokens, rows, length, key);
    return cross_entropy(model(inputs), targets);
  });
}

/// `./run chapter 25 --long`: trains on 32 characters, reads 128; then trains a copy on 128.
inline void longer() {
  const ladder::Tales tales;
  const Index length = 4 * ladder::kLength, width = ladder::kChannels / 4;
  const Frequencies usual = rotary_frequencies(width, 10000);
  const std::vector<Frequencies> ways = {usual, linear(usual, 4), larger_base(width, 10000, 4)};
  std::vector<Row> rows(ways.size());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Llama model({.vocab_size = tales.characters.vocab_size(),
                 .hidden_size = ladder::kChannels,
                 .num_hidden_layers = 2,
                 .num_attention_heads = 4,
                 .num_key_value_heads = 2,
                 .max_position_embeddings = ladder::kLength},
                seed);
    learn(model, tales.train, 800, ladder::kBatch, ladder::kLength, 5e-3, seed);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Llama copy = copy_of(model);
      const auto measure = [&](Seeds& inside, Seeds& beyond) {
        const auto losses = losses_by_position(copy, tales.held_out, length, 250);
        inside.push_back(mean_of(losses, 0, ladder::kLength));
        beyond.push_back(mean_of(losses, ladder::kLength, length));
      };
      copy.rotate_by(rotary_table(length, ways[i]));
      measure(rows[i].inside, rows[i].beyond);
      learn(copy, tales.train, 80, ladder::kBatch / 4, length, 1e-3, seed + 100);
      measure(rows[i].inside_after, rows[i].beyond_after);
    }
  }
  const Part part("longer");
  print_longer(rows);
}
// [longer]
