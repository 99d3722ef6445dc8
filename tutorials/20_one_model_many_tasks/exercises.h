/// @file
/// What the variations of chapter 20 ask for, on pocket.
#pragma once

#include "tutorials/pocket/gpt.h"

using namespace pocket;

struct Turn {
  bool model;     // said by the model, or by somebody else
  Tokens tokens;  // without an end
};

Batch conversations(const std::vector<std::vector<Turn>>& rows, std::int32_t end);
Tensor loss_of_answers(const Tensor& logits, const IndexTensor& targets);
std::size_t most_probable(const Gpt& model, const Tokens& prompt,
                          const std::vector<Tokens>& answers);
std::vector<Index> rows_of_tasks(const std::vector<double>& examples, double temperature,
                                 Index rows);
