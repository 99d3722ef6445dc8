/// @file
/// Declarations for the variations of chapter 15, on pocket.
#pragma once

#include "tutorials/pocket/gpt.h"

using namespace pocket;

/// A language model: tokens [1, T] to logits [1, T, V].
using Model = std::function<Tensor(const IndexTensor&)>;

int which_leaks(const std::vector<Model>& models, Index vocabulary, Index length);
Tensor tied_gradient(const Tensor& table, const Tensor& map, const IndexTensor& tokens,
                     const IndexTensor& targets);

// Exercise 15.6: a test of causality, and a GPT in three functions.

/// A model from the vectors that it has read, [B, T, C], to logits [B, T, V].
using ByVectors = std::function<Tensor(const Tensor&)>;

std::vector<Index> latest_read(const ByVectors& model, const Tensor& read);
Gpt begin_gpt(const GptConfig& config);
Tensor gpt_logits(const Gpt& model, const Tensor& read);
double learn_by_heart(Gpt& model, const Batch& batch, int steps);
