//! [06 engine]
// All of the engine. The headers from learn.h on include this one and no other of the engine: with
// another engine.h in its place, gradus's own engine runs the same models.
#ifndef POCKET_ENGINE  // the other engine.h defines it, too
#define POCKET_ENGINE
#include "random.h"
#endif
//! [06 engine]
