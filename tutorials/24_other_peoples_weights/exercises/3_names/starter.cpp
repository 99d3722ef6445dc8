// Exercise 24.3, 15 minutes: the parameters of a Gpt under GPT-2's names, for others to read.
//
// Undo from_gpt2: query, key and value side by side are h.0.attn.c_attn, weights [C, 3 C] and
// biases [3 C]; output is h.0.attn.c_proj. No "transformer." before the names, and no masks.
#include "tutorials/24_other_peoples_weights/exercises.h"

NamedTensors my_to_gpt2(Gpt& model) { return {}; }
