#include "tutorials/common/check.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"

using gradus::green, gradus::red;

namespace {

struct Given {
  unsigned char* piece;
  std::size_t bytes;
};
std::vector<Given> all_given;            // by the system
constexpr std::size_t kReal = 50000000;  // larger pieces are never written to, so none are made

std::size_t right_size(std::size_t bytes) {
  if (bytes <= 512) return std::max<std::size_t>(64, (bytes + 63) / 64 * 64);
  std::size_t power = 512;
  while (2 * power < bytes) power *= 2;
  return (bytes + power / 8 - 1) / (power / 8) * (power / 8);
}

struct Live {
  unsigned char* piece;
  std::size_t bytes;
  unsigned char mark;
};

void must_hold(const std::vector<Live>& live, const std::string& what) {
  for (const Live& x : live) {
    for (std::size_t i = 0; i < x.bytes; i += 1 + x.bytes / 100000) {
      if (x.piece[i] != x.mark) {
        red(what +
            ": a piece in use was written to by the owner of another\nlikely cause: a piece "
            "was handed out twice; take it off its list");
      }
    }
  }
}

/// One step: takes all sizes, uses them, gives them back, the middle ones first.
void step(Pool& pool, const std::vector<std::size_t>& sizes, const std::string& what) {
  std::vector<Live> live;
  unsigned char mark = 1;
  for (const std::size_t bytes : sizes) {
    auto* piece = static_cast<unsigned char*>(pool.take(bytes));
    if (piece == nullptr) red(what + ": take(" + std::to_string(bytes) + ") gave nothing");
    std::size_t room = SIZE_MAX;
    for (const Given& given : all_given) room = given.piece == piece ? given.bytes : room;
    if (room == SIZE_MAX)
      red(what +
          ": a piece does not begin where one of from_system() does\nlikely cause: it is from "
          "a list that is not in the Pool, and another Pool's");
    if (room < bytes) {
      red(what + ": a piece is smaller than what was asked for, " + std::to_string(room) +
          " bytes for " + std::to_string(bytes) +
          "\nlikely cause: rounded down, or a piece from the wrong list");
    }
    std::memset(piece, mark, bytes);
    live.push_back({piece, bytes, mark++});
    must_hold(live, what);
  }
  for (std::size_t i = 0; i < live.size(); ++i) {
    const Live& x = live[(i + live.size() / 2) % live.size()];
    pool.give(x.piece, x.bytes);
  }
}

/// Takes and gives back at random, beside a count of what is free.
void must_hold_at_random() {
  Pool pool;
  all_given.clear();
  std::map<std::size_t, int> free_ones;  // by the right size
  std::vector<Given> live;
  std::set<void*> in_use;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const bool is_growing = i / 4000 % 2 == 0;
    if (live.empty() || (random() % 5 == 0) != is_growing) {
      const std::size_t bytes = random() % (std::size_t(1) << (4 + random() % 19));
      int& left = free_ones[right_size(bytes)];
      const std::size_t before = all_given.size();
      auto* piece = static_cast<unsigned char*>(pool.take(bytes));
      const std::string what = "many sizes at random: take(" + std::to_string(bytes) + ")";
      if (all_given.size() > before && left > 0) {
        red(what + " asked the system, and " + std::to_string(left) +
            " pieces of its size were free\nlikely cause: give() keeps only so many pieces, or so "
            "many lists, and puts the others on none");
      }
      if (!in_use.insert(piece).second) red(what + " gave a piece that is in use");
      left -= all_given.size() == before ? 1 : 0;
      live.push_back({piece, bytes});
    } else {
      std::swap(live[random() % live.size()], live.back());
      const Given last = live.back();
      pool.give(last.piece, last.bytes);
      free_ones[right_size(last.bytes)] += 1, in_use.erase(last.piece), live.pop_back();
    }
  }
  for (const Given& given : all_given) std::free(given.piece);
  green("many sizes at random");
}

}  // namespace

void* from_system(std::size_t bytes) {
  static unsigned char promised[1000];
  auto* piece = bytes > kReal ? promised + all_given.size() % sizeof promised
                              : static_cast<unsigned char*>(std::malloc(bytes));
  all_given.push_back({piece, bytes});
  return piece;
}

int main() {
  return gradus::run_check([] {
    for (const std::size_t bytes :
         {1,    64,   65,   500,  512,    513,    576,    577,     1000,     1024,
          1025, 1153, 2048, 2049, 100000, 131072, 131073, 5000000, 40000000, 0}) {
      Pool pool;
      all_given.clear();
      step(pool, {bytes}, std::to_string(bytes) + " bytes");
      const std::size_t got = all_given.at(0).bytes;
      if (got != right_size(bytes)) {
        red("for " + std::to_string(bytes) + " bytes: from_system(" + std::to_string(got) +
            "), expected " + std::to_string(right_size(bytes)) + "\nlikely cause: " +
            (bytes == 0     ? "the least size is 64, as `new` asks for 0 bytes, too"
             : got < bytes  ? "rounded down"
             : got == bytes ? "the size was not rounded"
                            : "multiples of 64 up to 512, then eight sizes for each doubling"));
      }
    }
    green("sizes are rounded");
    Pool pool;
    all_given.clear();
    const std::vector<std::size_t> sizes = {40,   8192,    300,      131072,  131072, 1000,
                                            64,   8192,    520,      16,      40,     262144,
                                            1000, 5000000, 16 << 20, 40000000};
    step(pool, sizes, "the first step");
    const std::size_t first = all_given.size();
    if (first != sizes.size()) {
      red("the first step asked the system " + std::to_string(first) + " times, expected " +
          std::to_string(sizes.size()));
    }
    for (int i = 2; i < 5; ++i) step(pool, sizes, "step " + std::to_string(i));
    if (all_given.size() != first) {
      red("later steps of the same sizes asked the system " +
          std::to_string(all_given.size() - first) +
          " times more, expected never\nlikely cause: "
          "give() puts a piece on another list than take() looks at, or on none");
    }
    green("a step like the one before takes nothing from the system");
    Pool other;
    const std::vector<Given> given = all_given;
    all_given.clear();
    other.give(other.take(100000), 100000);
    void* small = other.take(100);
    if (all_given.size() != 2) {
      red("a piece of 100000 bytes served a request of 100\nlikely cause: a piece went to a "
          "request "
          "of another size; then it is on the list of that size, and no large one is left");
    }
    other.give(small, 100);
    all_given.clear();
    Pool third;
    for (int round = 0; round < 2; ++round) {  // one piece in use at a time, and another is free
      for (const std::size_t bytes : {1000, 900, 850, 600, 500, 100}) {
        third.give(third.take(bytes), bytes);
      }
      if (all_given.size() == 6) continue;
      red("1000, 900, 850, 600, 500 and 100 bytes, each given back before the next: asked the "
          "system " +
          std::to_string(all_given.size()) + " times " +
          (round == 0 ? "" : "after a second round ") +
          ", expected 6\nlikely cause: a piece served a request of another size; take() is to look "
          "at one list alone");
    }
    green("a piece serves its own size alone");
    all_given.clear();
    for (const std::size_t bytes : {300, 100000}) {
      Pool fourth;
      constexpr std::size_t kMany = 5000;
      std::vector<void*> pieces(kMany);
      all_given.clear();
      for (int i = 0; i < 2; ++i) {
        for (void*& piece : pieces) piece = fourth.take(bytes);
        for (void* piece : pieces) fourth.give(piece, bytes);
      }
      if (all_given.size() != kMany) {
        red("5000 pieces of " + std::to_string(bytes) + " bytes in each of two steps: asked the " +
            "system " + std::to_string(all_given.size()) +
            " times, expected 5000\nlikely cause: give() puts some on another list, or on none");
      }
      for (const Given& each : all_given) std::free(each.piece);
    }
    green("a list takes all pieces that are given back");
    all_given = given;
    step(pool,
         {35, 8000, 290, 130000, 125000, 970, 60, 7700, 570, 1, 64, 250000, 1024, 5100000, 16000000,
          39000000},
         "near");
    if (all_given.size() != first) {
      red("sizes that are rounded to the same asked the system again\nlikely cause: lists of exact "
          "sizes; round in give() and in take()");
    }
    green("and so does a step whose sizes are rounded to the same");
    const std::size_t most = 50000000000;
    Pool large;  // has a free piece of each size so far
    const std::string wraps =
        "\nlikely cause: sizes are std::size_t: an int or unsigned wraps, at 2 or 4 GB";
    for (std::size_t size = 64, least = 0; size < most; size = right_size(size + 1)) {
      Pool each;
      all_given.clear();
      each.give(each.take(size), size);
      const std::size_t got = all_given.at(0).bytes;
      if (got != size) {
        red("for " + std::to_string(size) + " bytes: from_system(" + std::to_string(got) +
            "), expected " + std::to_string(size) +
            (size > INT32_MAX && (got < size || got > 2 * size)
                 ? wraps
                 : "\nlikely cause: eight sizes for each doubling, also of large sizes"));
      }
      void* const again = each.take(least);
      each.give(again, least);
      if (all_given.size() != 1 || each.take(size) != again) {
        red("a piece of " + std::to_string(size) + " bytes does not serve a request of " +
            std::to_string(least) +
            ", or not the other way\nlikely cause: lists of exact sizes, for "
            "some at least; round in give() and in take()");
      }
      if (size <= kReal) {
        std::free(again);
      } else {
        large.give(large.take(size), size);
        if (all_given.size() != 2) {
          red("a piece of less than " + std::to_string(size) + " bytes served a request of " +
              std::to_string(size) +
              (size > INT32_MAX ? wraps : "\nlikely cause: a list has pieces of two sizes"));
        }
      }
      least = size + 1;
    }
    green("from 0 bytes to 50 GB, one list has all sizes that are rounded to the same");
    must_hold_at_random();
  });
}
