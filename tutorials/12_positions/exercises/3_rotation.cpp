// Exercise 12.3, 45 minutes: the rotation.
//
// my_shift: the matrix M [C, C] that moves places by a distance: row t of the sinusoidal table P
// (interleaved, rates w_k = 10000^(-2k / C)) times M is row t + distance, for every t. Rows are
// multiplied from the left: P M.
//
// my_turned_scores: q [T, C], k [S, C] to [T, S]. Turn query t by my_shift(t, C), turn key s by
// my_shift(s, C), and return the products of all turned queries with all turned keys (not divided
// by anything). That is rotary attention.
#include "tutorials/12_positions/exercises.h"

Tensor my_shift(Index distance, Index channels) { return zeros({channels, channels}); }

Tensor my_turned_scores(const Tensor& q, const Tensor& k) { return zeros({q.size(0), k.size(0)}); }
