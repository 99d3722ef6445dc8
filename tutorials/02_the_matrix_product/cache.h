/// @file
/// A model of a cache that counts the fetches of loops. Included after `using namespace pocket`.
#pragma once

// [cache]
// A cache: lines of 16 numbers, each line in one of the 8 slots of its set.
struct Cache {
  explicit Cache(Index sets) : sets(sets), lines(sets * 8), used(sets * 8) {}
  void touch(Index line) {
    Index oldest = line % sets * 8;
    ++clock;
    for (Index slot = line % sets * 8; slot < line % sets * 8 + 8; ++slot) {
      if (lines[slot] == line) {
        used[slot] = clock;
        return;
      }
      if (used[slot] < used[oldest]) oldest = slot;
    }
    ++fetched;
    lines[oldest] = line;
    used[oldest] = clock;
  }
  Index sets, clock = 0, fetched = 0;
  std::vector<Index> lines, used;
};

// A pointer that reports to the cache each number that is read or written through it.
struct Watched {
  Scalar& operator[](Index i) const {
    cache->touch(first_line + i / 16);
    return data[i];
  }
  Scalar* data;
  Index first_line;
  Cache* cache;
};
// [cache]
