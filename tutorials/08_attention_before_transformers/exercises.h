/// @file
/// Declarations for exercises 08.4 and 08.7.
#pragma once

#if __has_include("pocket/recurrent.h")
#include "pocket/recurrent.h"  // the reader's, where the chapter's program is compiled on it
#else
#include "tutorials/pocket/recurrent.h"
#endif

using namespace pocket;

Tensor both_ways(const RecurrentLayer& from_left, const RecurrentLayer& from_right,
                 const Tensor& x);

/// An LSTM's state: two vectors for each row, [B, 1, H].
struct LstmState {
  Tensor h, c;
};

LstmState lstm_step(const std::vector<Tensor>& sums, const Tensor& cell);
