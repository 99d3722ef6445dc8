/// @file
/// What the variations of chapter 16 ask for, on pocket.
#pragma once

#include "tutorials/pocket/write.h"

using namespace pocket;

std::int32_t choose_min_p(const std::vector<Scalar>& logits, double min_p, Scalar draw);
std::int32_t speculate(const std::vector<double>& large, const std::vector<double>& small,
                       std::int32_t drafted, double accept, double again);
