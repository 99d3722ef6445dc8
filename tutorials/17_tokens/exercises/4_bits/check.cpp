#include "tutorials/17_tokens/exercises.h"
#include "tutorials/common/guards.h"

using gradus::green;

namespace {

const std::vector<std::string> kPieces{"a",  " the",          "queen", "\xc3\xa9",
                                       "\n", " mirror maker", "."};

void ask(const std::string& what, const Tensor& logits, const Tokens& targets, double expected) {
  const IndexTensor rows({std::ssize(targets)}, targets);
  const double got = gradus::unchanged<Tensor>(
      what, {logits}, [&] { return bits_per_byte_of(logits, rows, kPieces); });
  gradus::expect_number(what + ", bits per byte", got, expected, 1e-4);
  green(what);
}

/// By definition, in double.
double right(const Tensor& logits, const Tokens& targets) {
  double nats = 0, bytes = 0;
  const Index vocab = logits.size(1);
  for (Index i = 0; i < std::ssize(targets); ++i) {
    const std::int32_t token = targets[static_cast<std::size_t>(i)];
    if (token < 0) continue;
    const Scalar* row = logits.data() + i * vocab;
    const double largest = *std::max_element(row, row + vocab);
    double sum = 0;
    for (Index v = 0; v < vocab; ++v) sum += std::exp(row[v] - largest);
    nats += largest + std::log(sum) - row[token];
    bytes += double(kPieces[static_cast<std::size_t>(token)].size());
  }
  return nats / bytes / std::log(2);
}

}  // namespace

CHECK_ANSWER() {
  ask("a model that knows nothing, at tokens of one byte", zeros({3, 7}), {0, 4, 6}, std::log2(7));
  ask("the same, at one token of five bytes", zeros({1, 7}), {2}, std::log2(7) / 5);
  const Tensor logits = normal({6, 7}, {.seed = 3}, 0, 2);
  const Tokens mixed{5, 0, 1, 6, 2, 0}, accent{3, 3, 0, 3, 4, 6}, masked{5, -1, 1, -1, -1, 2};
  ask("tokens of several lengths", logits, mixed, right(logits, mixed));
  ask("a letter of two bytes", logits, accent, right(logits, accent));
  ask("targets of -1", logits, masked, right(logits, masked));
  const Tensor large = normal({6, 7}, {.seed = 4}, 0, 1e4);
  ask("logits of about 10,000", large, mixed, right(large, mixed));
  Tokens many;
  for (int i = 0; i < 500; ++i) many.push_back(i * i % 7);
  const Tensor long_batch = normal({500, 7}, {.seed = 5});
  ask("500 rows", long_batch, many, right(long_batch, many));
}
