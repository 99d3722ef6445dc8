/// @file
/// What the variations of chapter 24 ask for, on pocket.
#pragma once

#include "tutorials/pocket/weights.h"

using namespace pocket;

NamedTensors my_to_gpt2(Gpt& model);
std::vector<float> my_from_half(const std::vector<std::uint16_t>& halves);
