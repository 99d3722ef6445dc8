// rejected: does not begin where one of from_system() does
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void* Pool::take(std::size_t bytes) { return std::malloc(bytes); }
void Pool::give(void* piece, std::size_t) { std::free(piece); }
