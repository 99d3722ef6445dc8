/// @file
/// Declarations for the variations of chapter 09, and pocket as the chapter leaves it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tutorials/pocket/attention.h"

using namespace pocket;

/// Queries and keys, [4, 4] each.
struct QueriesAndKeys {
  Tensor queries, keys;
};

QueriesAndKeys copy_the_previous();

/// What you keep of the keys that one query has seen: at most width + 2 numbers, where width is
/// that of a value.
using Running = std::vector<Scalar>;

Running nothing_seen(Index width);
void see(Running& running, Scalar score, const std::vector<Scalar>& value);
std::vector<Scalar> answer(const Running& running);
