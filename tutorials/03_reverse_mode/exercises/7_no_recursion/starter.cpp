// Exercise 03.7, 45 minutes: without recursion.
//
// The page's backward() calls visit(), which calls itself for each input. A chain of a million
// nodes needs a million calls inside one another, which the stack has no room for. Write backward()
// without recursion: the same gradients, leaves accumulate, other nodes start each pass at 0.
//
// A long chain must also be freed without recursion, which is no task of yours: the check builds
// its chain in a Graph of exercises.h, which cuts all edges first. Use it for tests of your own.
#include <set>
#include <vector>

#include "tutorials/03_reverse_mode/exercises.h"

void my_backward(const Value& result) { result->grad = 1; }
