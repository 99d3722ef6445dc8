/// @file
/// Declarations for exercise 08.4.
#pragma once

#include "tutorials/pocket/recurrent.h"

using namespace pocket;

Tensor both_ways(const RecurrentLayer& forward, const RecurrentLayer& backward, const Tensor& x);
