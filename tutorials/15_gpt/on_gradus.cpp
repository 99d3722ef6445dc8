// The chapter's program on gradus's engine: the same models, with the same numbers to begin with.
#define pocket on_gradus  // so that engine.h fills the namespace that the models are in
#include "tests/pocket/on_gradus/engine.h"
#include "tutorials/15_gpt/gpt.cpp"
