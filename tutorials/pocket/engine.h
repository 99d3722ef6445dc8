//! [06 engine]
// All of the engine. Another engine.h in its place runs the same models: chapter 22 takes gradus's.
#ifndef POCKET_ENGINE  // the other engine.h defines it, too
#define POCKET_ENGINE
#include "random.h"
#endif
//! [06 engine]
