// The chapter's program on gradus's engine: the same models, with the same numbers to begin with.
#include "tests/pocket/on_gradus/engine.h"
#include "tutorials/15_gpt/gpt.cpp"
