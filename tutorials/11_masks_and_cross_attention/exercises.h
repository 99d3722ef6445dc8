/// @file
/// What the exercises of chapter 11 ask for.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "tutorials/pocket/attention.h"

using namespace pocket;

/// A model from [1, T, C] to [1, T, C].
using Model = std::function<Tensor(const Tensor& x)>;

std::vector<double> my_masked_softmax(const std::vector<double>& scores,
                                      const std::vector<bool>& visible);
IndexTensor my_document_mask(const IndexTensor& documents);
bool my_leaks(const Model& model, const Tensor& x);
