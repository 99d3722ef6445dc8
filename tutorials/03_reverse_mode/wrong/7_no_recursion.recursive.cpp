// rejected: SIGSEGV
#include <set>
#include <vector>

#include "tutorials/03_reverse_mode/exercises.h"

void my_backward(const Value& result) { engine::backward(result); }
