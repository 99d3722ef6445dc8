/// @file
/// Declarations for the variations of chapter 20, on pocket.
#pragma once

#include "tutorials/20_one_model_many_tasks/prompts.h"
#include "tutorials/pocket/gpt.h"

using namespace pocket;
using tasks::Prompt, tasks::Draws;

constexpr std::int32_t kEnd = 0, kIgnored = -100;

struct Row {
  Tokens prompt, answer;  // the answer ends with kEnd
};
using Rows = std::vector<Row>;

struct Turn {
  bool model;     // said by the model, or by somebody else
  Tokens tokens;  // without an end
};

struct NewTokens {
  std::int32_t start, delimiter, extract;
};
using Pair = std::pair<Tokens, Tokens>;

Batch batch_of(const Rows& rows, bool everything);
Batch conversations(const std::vector<std::vector<Turn>>& rows, std::int32_t end);
std::size_t most_probable(const Gpt& model, const Tokens& prompt,
                          const std::vector<Tokens>& answers);
std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows, const RandomKey& key);
Prompt fourth(Draws& draws);
Tensor similarity(const Gpt& gpt, const Linear& head, const std::vector<Pair>& pairs,
                  const NewTokens& tokens);
