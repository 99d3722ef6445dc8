// Exercise 22.4: Memory that is used again
//
// take(bytes) gives a piece of at least so many bytes; give() takes it back. Pieces come from
// from_system(), in rounded sizes: multiples of 64 up to 512, for 0 bytes 64; above, eight sizes
// for each doubling: 576, 640 to 1024, then 1152, 1280 to 2048, then 2304 and so on. A piece that
// was given back serves the next request of the same rounded size.
//
// exercises.h declares these; from_system is no member of Pool. Keep no list outside Pool.
//
//   void* from_system(std::size_t bytes);
//   struct Pool {
//     void* take(std::size_t bytes);
//     void give(void* piece, std::size_t bytes);  // what take(bytes) has handed out
//     std::map<std::size_t, std::vector<void*>> free_pieces = {};  // by size
//   };
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void* Pool::take(std::size_t bytes) { return nullptr; }

void Pool::give(void* piece, std::size_t bytes) {}
