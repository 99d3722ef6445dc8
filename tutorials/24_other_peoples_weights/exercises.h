/// @file
/// Declarations for the variations of chapter 24, on pocket.
#pragma once

#include "tutorials/pocket/weights.h"

using namespace pocket;

NamedTensors my_to_gpt2(Gpt& model);
std::vector<std::uint16_t> my_to_half(const std::vector<float>& numbers);
