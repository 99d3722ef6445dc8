/// @file
/// What exercise 08.4 asks for.
#pragma once

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

Tensor both_ways(const RecurrentLayer& forward, const RecurrentLayer& backward, const Tensor& x);
