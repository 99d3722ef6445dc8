#include "cli/run/own_sizes.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace gradus {
namespace {

/// A model, and the least number of reference steps for which it is the best choice.
struct Size {
  double reference_steps;
  int n_layer, n_head, n_embd, block_size, batch_size;
  double learning_rate;
};

// The unit of time is a step of this model.
constexpr Size kReference = {0, 4, 4, 128, 128, 16, 5e-3};

// A larger model learns more per token but reads fewer tokens in the same time; small batches give
// more steps than large ones.
constexpr Size kOwnTextSizes[] = {
    {0, 2, 4, 128, 64, 12, 5e-3},     {600, 4, 4, 128, 128, 8, 4e-3},
    {2500, 4, 6, 192, 128, 8, 4e-3},  {5000, 6, 6, 192, 128, 8, 4e-3},
    {20000, 6, 8, 256, 256, 8, 3e-3},
};

// For a short text, the largest useful size is the reference's with smaller batches.
constexpr double kShortText = 100e3;
constexpr Size kShortSizes[] = {{0, 2, 4, 128, 64, 12, 5e-3}, {150, 4, 4, 128, 128, 8, 4e-3}};

/// A tokenizer, and the longest text for which it is the best choice: a model does not learn a byte
/// pair that occurs only a few times in a text.
struct Pieces {
  double text_bytes;
  const char* tokenizer;
  int vocab_size;
  double bytes_per_token;  // approximate
};
constexpr Pieces kPieces[] = {{60e3, "char", 0, 1},
                              {200e3, "bpe", 512, 2.1},
                              {2e6, "bpe", 1024, 2.5},
                              {20e6, "bpe", 2048, 3},
                              {1e99, "bpe", 4096, 3.5}};

/// How many times a model may read a text before it memorises it; the longer the text, the more.
double most_readings(double text_bytes) { return 20 * std::pow(text_bytes / 20e3, 0.25); }

/// Multiplications per token in matrix products: layers with a feed-forward network of twice the
/// channels, attention, and the output layer.
double products(const Size& size, const Pieces& pieces) {
  const double c = size.n_embd, vocabulary = std::max(100, pieces.vocab_size);
  return size.n_layer * c * (8 * c + size.block_size) + vocabulary * c;
}

/// How many steps of this size take as long as this number of steps of the reference.
double steps_of(const Size& size, const Pieces& pieces, double reference_steps) {
  const auto cost = [&](const Size& s) {
    return products(s, pieces) * s.block_size * s.batch_size;
  };
  return reference_steps * cost(kReference) / cost(size);
}

const Pieces& pieces_of(double text_bytes) {
  return *std::ranges::find_if(kPieces, [&](const Pieces& p) { return text_bytes < p.text_bytes; });
}

OwnSizes sized(double text_bytes, const Size& size, double reference_steps) {
  const Pieces& pieces = pieces_of(text_bytes);
  const double tokens = std::max(1.0, 0.9 * text_bytes / pieces.bytes_per_token);
  const double steps_of_reading = tokens / size.block_size / size.batch_size;
  const double most_steps = std::max(50.0, most_readings(text_bytes) * steps_of_reading);
  const double steps = std::min(steps_of(size, pieces, reference_steps), most_steps);
  const double part = steps / most_steps;  // as a share of the useful steps
  return {.tokenizer = pieces.tokenizer,
          .vocab_size = pieces.vocab_size,
          .n_layer = size.n_layer,
          .n_head = size.n_head,
          .n_embd = size.n_embd,
          .block_size = size.block_size,
          .batch_size = size.batch_size,
          .dropout = part < 0.08 ? 0 : std::floor(5 * std::sqrt(part)) / 10,
          .weight_decay = part < 0.3   ? 0.1
                          : part < 0.7 ? 0.5
                                       : 1,
          .learning_rate = size.learning_rate,
          .most_steps = static_cast<std::int64_t>(most_steps)};
}

}  // namespace

OwnSizes reference_sizes(double text_bytes) { return sized(text_bytes, kReference, 1); }

OwnSizes own_sizes(double text_bytes, double reference_steps) {
  const std::span<const Size> sizes = text_bytes < kShortText
                                          ? std::span<const Size>(kShortSizes)
                                          : std::span<const Size>(kOwnTextSizes);
  const Size* size = &sizes[0];
  for (const Size& larger : sizes) {
    size = reference_steps >= larger.reference_steps ? &larger : size;
  }
  return sized(text_bytes, *size, reference_steps);
}

}  // namespace gradus
