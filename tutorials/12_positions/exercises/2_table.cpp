// Exercise 12.2, 15 minutes: the interleaved table.
//
// Sinusoidal positions, [places, channels] with an even number of channels, places counted from 0:
// column 2k holds sin(w_k t), column 2k + 1 holds cos(w_k t), with w_k = 10000^(-2k / channels).
#include "tutorials/12_positions/exercises.h"

Tensor my_sinusoids(Index places, Index channels) { return zeros({places, channels}); }
