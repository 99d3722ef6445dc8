// Both orders of all pairs are rows of one batch.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Tensor similarity(const Gpt& gpt, const Linear& head, const std::vector<Pair>& pairs,
                  const NewTokens& tokens) {
  std::size_t length = 0;
  for (const auto& [a, b] : pairs) length = std::max(length, a.size() + b.size() + 3);
  Tokens inputs, extracts;
  const auto read = [&](const Tokens& first, const Tokens& second) {
    Tokens row = {tokens.start};
    row.insert(row.end(), first.begin(), first.end());
    row.push_back(tokens.delimiter);
    row.insert(row.end(), second.begin(), second.end());
    row.push_back(tokens.extract);
    extracts.push_back(std::int32_t(inputs.size() + row.size() - 1));
    row.resize(length, kEnd);
    inputs.insert(inputs.end(), row.begin(), row.end());
  };
  for (const auto& [a, b] : pairs) read(a, b), read(b, a);
  const Index count = std::ssize(pairs);
  const IndexTensor batch({2 * count, Index(length)}, inputs);
  const Tensor features = reshape(gpt.features(batch), {-1, gpt.config.n_embd});  // [2 B T, C]
  return head(sum(embedding(IndexTensor({count, 2}, extracts), features), 1));    // of [B, 2, C]
}
