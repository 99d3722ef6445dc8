#include "tutorials/common/check.h"

#include <cstdint>
#include <cstring>
#include <random>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

using gradus::green, gradus::red;

namespace {

struct Piece {
  unsigned char* place;
  std::size_t bytes;
};
std::vector<Piece> from_it;              // from the system
constexpr std::size_t kReal = 50000000;  // larger pieces are never written to, so none are made

std::size_t right_size(std::size_t bytes) {
  if (bytes <= 512) return std::max<std::size_t>(64, (bytes + 63) / 64 * 64);
  std::size_t power = 512;
  while (2 * power < bytes) power *= 2;
  return (bytes + power / 8 - 1) / (power / 8) * (power / 8);
}

/// A pool of the answer, beside a count of the pieces that should be free in it.
class Counted {
 public:
  explicit Counted(const std::string& what) : what_(what + ": ") { from_it.clear(); }
  ~Counted() {
    for (const Piece& each : from_it) {
      if (each.bytes <= kReal) std::free(each.place);
    }
  }

  unsigned char* take(std::size_t bytes) {
    const std::size_t before = from_it.size(), size = right_size(bytes);
    auto* place = static_cast<unsigned char*>(pool_.take(bytes));
    const std::string took = what_ + "take(" + std::to_string(bytes) + ") ";
    if (place == nullptr) red(took, "gave nothing");
    const bool is_new = from_it.size() > before;
    if (is_new && from_it.back().bytes != size) {
      const std::size_t got = from_it.back().bytes;
      red(took, "asked from_system(", got, "), expected ", size, "\nlikely cause: ",
          (bytes == 0 ? "the least size is 64, as `new` asks for 0 bytes, too"
           : bytes > INT32_MAX && (got < bytes || got > 2 * size)
               ? "sizes are std::size_t: an int or unsigned wraps, at 2 or 4 GB"
           : got < bytes  ? "rounded down"
           : got == bytes ? "the size was not rounded"
                          : "multiples of 64 up to 512, then eight sizes for each doubling, also "
                            "of large sizes"));
    }
    if (is_new && free_[size] > 0) {
      red(took, "asked the system, and ", free_[size],
          " pieces of its size were free\nlikely cause: give() puts a piece on another list than "
          "take() looks at, or on none. Are all pieces kept, and all lists? Are there lists of "
          "exact sizes? Round in give() and in take()");
    }
    if (!is_new) {
      const auto own = size_of_.find(place);
      if (own == size_of_.end()) {
        red(took,
            "gave a piece that does not begin where one of from_system() does\nlikely "
            "cause: it is from a list that is not in the Pool, and another Pool's");
      }
      if (own->second.in_use) {
        red(took,
            "gave a piece that is in use: it was handed out twice\nlikely cause: it stays "
            "on its list");
      }
      if (own->second.bytes != size) {
        red(took, "gave a piece of another size, ", own->second.bytes, " bytes, expected ", size,
            (bytes > INT32_MAX ? "\nlikely cause: sizes are std::size_t: an int or unsigned wraps"
                               : "\nlikely cause: take() is to look at one list alone"));
      }
      --free_[size];
    }
    size_of_[place] = {size, true};
    return place;
  }
  void give(unsigned char* place, std::size_t bytes) {
    pool_.give(place, bytes);
    size_of_[place].in_use = false, ++free_[right_size(bytes)];
  }

 private:
  struct State {
    std::size_t bytes = 0;
    bool in_use = false;
  };
  std::string what_;
  Pool pool_;
  std::map<std::size_t, int> free_;          // how many, by the right size
  std::map<unsigned char*, State> size_of_;  // of all that it has handed out
};

/// Takes all sizes, and gives them back, the middle ones first.
void step(Counted& pool, const std::vector<std::size_t>& sizes) {
  std::vector<Piece> live;
  for (const std::size_t bytes : sizes) live.push_back({pool.take(bytes), bytes});
  for (std::size_t i = 0; i < live.size(); ++i) {
    const Piece& x = live[(i + live.size() / 2) % live.size()];
    pool.give(x.place, x.bytes);
  }
}

void must_hold_at_random() {
  Counted pool("many sizes at random");
  std::vector<Piece> live;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const bool is_growing = i / 4000 % 2 == 0;
    if (live.empty() || (random() % 5 == 0) != is_growing) {
      const std::size_t bytes = random() % (std::size_t(1) << (4 + random() % 19));
      live.push_back({pool.take(bytes), bytes});
    } else {
      std::swap(live[random() % live.size()], live.back());
      pool.give(live.back().place, live.back().bytes), live.pop_back();
    }
  }
  green("many sizes at random");
}

}  // namespace

void* from_system(std::size_t bytes) {
  static unsigned char promised[1000];
  auto* place = bytes > kReal ? promised + from_it.size() % sizeof promised
                              : static_cast<unsigned char*>(std::malloc(bytes));
  from_it.push_back({place, bytes});
  return place;
}

CHECK_ANSWER() {
  for (const std::size_t bytes :
       {1,    64,   65,   500,  512,    513,    576,    577,     1000,     1024,
        1025, 1153, 2048, 2049, 100000, 131072, 131073, 5000000, 40000000, 0}) {
    Counted("one piece").take(bytes);
  }
  green("sizes are rounded");
  {
    Counted pool("steps of the same sizes");
    const std::vector<std::size_t> sizes = {40,   8192,    300,      131072,  131072, 1000,
                                            64,   8192,    520,      16,      40,     262144,
                                            1000, 5000000, 16 << 20, 40000000};
    for (int i = 0; i < 4; ++i) step(pool, sizes);
    step(pool, {35, 8000, 290, 130000, 125000, 970, 60, 7700, 570, 1, 64, 250000, 1024, 5100000,
                16000000, 39000000});
  }
  green("a step like the one before takes nothing from the system");
  {
    Counted pool("each given back before the next");  // one piece is in use, and others are free
    for (int round = 0; round < 2; ++round) {
      for (const std::size_t bytes : {100000, 1000, 900, 850, 600, 500, 100}) step(pool, {bytes});
    }
  }
  green("a piece serves its own size alone");
  for (const std::size_t bytes : {300, 100000}) {
    Counted pool("5000 pieces of " + std::to_string(bytes) + " bytes in each of two steps");
    for (int i = 0; i < 2; ++i) step(pool, std::vector<std::size_t>(5000, bytes));
  }
  green("a list takes all pieces that are given back");
  {
    Counted pool("up to 50 GB");  // has a free piece of each size so far
    for (std::size_t size = 64, least = 0; size < 50000000000; size = right_size(size + 1)) {
      for (const std::size_t bytes : {size, least, size}) step(pool, {bytes});
      least = size + 1;
    }
  }
  green("from 0 bytes to 50 GB, one list has all sizes that are rounded to the same");
  must_hold_at_random();
}
