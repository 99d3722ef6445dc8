/// @file
/// Helpers for the checks of chapter 23: the numbers of each rank at the end.
#pragma once

#include <csignal>
#include <cstring>
#include <random>
#include <stdexcept>

#include "tutorials/23_several_machines/processes.h"
#include "tutorials/common/check.h"

namespace course {

using pocket::Index;
using pocket::Scalar;
using Numbers = std::vector<Scalar>;

constexpr unsigned kPatience = 5;       // seconds that a rank may take
constexpr std::size_t kLarge = 100000;  // numbers of which a socket may not hold a part

constexpr const char* kOutside = "an index lies outside its span or vector";

/// The message of rank 0, which is this process, when the library ends it.
inline void say_outside(int) {
  for (const char* words : {"RED    rank 0 got signal 6\nlikely cause: ", kOutside, "\n"}) {
    if (write(STDOUT_FILENO, words, std::strlen(words)) < 0) break;
  }
  _exit(1);
}

struct Ended {
  std::vector<Numbers> numbers;  // of each rank
  std::vector<Index> sent;       // bytes, by each rank
};

inline std::string ranks_and_numbers(int size, std::size_t count) {
  return std::to_string(size) + (size == 1 ? " rank, " : " ranks, ") + std::to_string(count) +
         " numbers";
}

/// The likely cause when ranks failed with these words, or "" if unknown; `gone` if one ended
/// early.
inline std::string cause_of(const std::string& said, std::size_t count, const std::string& gone) {
  const auto has = [&](const char* words) { return said.find(words) != std::string::npos; };
  const std::string waited = "a rank waited " + std::to_string(kPatience) + " s for ";
  if (has("exercise ")) return "";  // which is not written yet
  if (has("signal 6")) return kOutside;
  if (has("signal 14") && count >= kLarge)
    return waited + "room in a socket: send and receive in one call of transfer";
  if (has("signal 14"))
    return waited +
           "bytes that nobody sent: is the span you receive into as long as what arrives? The part "
           "that arrives may be longer or shorter than the one you send. Or do all receive before "
           "any sends, or do partners disagree about who talks to whom? And every rank must send "
           "in every step, even when what it receives is empty";
  if (has("vector")) return "that rank does not exist: the last one is N - 1";
  return has("is gone") && !has("signal") ? gone : "";
}

/// Runs f(ranks, numbers) on `size` ranks, which begin with begin(rank). `gone` is the likely cause
/// if a rank ends before the others have received everything.
inline Ended after(int size, const std::function<Numbers(int rank)>& begin,
                   const std::function<void(Ranks&, Numbers&)>& f,
                   const std::string& gone = "each transfer needs its partner's") try {
  Ended ended{std::vector<Numbers>(size), std::vector<Index>(size)};
  in_ranks(
      size,
      [&](Ranks& ranks) {
        Numbers own = begin(ranks.rank);
        const std::size_t count = own.size();
        std::signal(SIGABRT, ranks.rank == 0 ? say_outside : SIG_DFL);
        f(ranks, own);
        own.resize(count);
        own.push_back(static_cast<Scalar>(ranks.sent / Index(sizeof(Scalar))));
        if (ranks.rank > 0) return ranks.transfer(0, own, 0, {});
        for (int r = 0; r < size; ++r) {
          Numbers& theirs = ended.numbers[r] = own;
          theirs.resize(begin(r).size() + 1);
          if (r > 0) ranks.transfer(r, {}, r, theirs);
          ended.sent[r] = static_cast<Index>(theirs.back()) * Index(sizeof(Scalar));
          theirs.pop_back();
        }
      },
      kPatience);
  return ended;
} catch (const std::exception& error) {
  const std::string cause = cause_of(error.what(), begin(0).size(), gone);
  if (cause.empty()) throw;
  throw std::runtime_error(error.what() + ("\nlikely cause: " + cause));
}

/// The numbers that each rank begins with.
inline std::vector<Numbers> of_ranks(int size, const std::function<Numbers(int rank)>& begin) {
  std::vector<Numbers> of;
  for (int r = 0; r < size; ++r) of.push_back(begin(r));
  return of;
}

/// The sum over the ranks of the number at `i`.
inline double sum_at(const std::vector<Numbers>& of, std::size_t i) {
  double sum = 0;
  for (const Numbers& numbers : of) sum += double{numbers[i]};
  return sum;
}

/// Ends the check unless the first `count` numbers of all ranks are right(i) and have equal bits.
inline void must_agree(const std::string& what, const Ended& ended, std::size_t count,
                       const std::function<double(std::size_t i)>& right, double near,
                       const std::string& cause) {
  for (std::size_t r = 0; r < ended.numbers.size(); ++r) {
    const Scalar* own = ended.numbers[r].data();
    for (std::size_t i = 0; i < count; ++i) {
      const double expected = right(i);
      if (std::abs(own[i] - expected) <= near) continue;
      gradus::red(what, ", rank ", r, ", number ", i, ": got ", own[i], ", expected ", expected,
                  "\nlikely cause: ", cause);
    }
    if (std::memcmp(own, ended.numbers[0].data(), sizeof(Scalar) * count) == 0) continue;
    gradus::red(what, ": ranks have different bits\nlikely cause: all must add the same numbers");
  }
}

/// Cuts the numbers into tensors of these shapes.
inline std::vector<pocket::Tensor> tensors_of(const Numbers& numbers,
                                              const std::vector<pocket::Shape>& shapes) {
  std::vector<pocket::Tensor> tensors;
  auto at = numbers.begin();
  for (const pocket::Shape& shape : shapes) {
    tensors.push_back(pocket::tensor(shape, {at, at + shape.size()}));
    at += shape.size();
  }
  return tensors;
}
/// Copies the numbers of the tensors back, one tensor after the other.
inline void put_back(const std::vector<pocket::Tensor>& tensors, Numbers& numbers) {
  auto at = numbers.begin();
  for (const pocket::Tensor& x : tensors) at = std::copy(x.begin(), x.end(), at);
}

/// Whole numbers by chance, the same in every run. mt19937 gives the same everywhere, a
/// distribution of the library's might not.
struct Dice {
  int from(int least, int most) {
    return least + static_cast<int>(random() % static_cast<std::uint32_t>(most - least + 1));
  }
  std::mt19937 random{23};
};

/// Numbers from a small generator: of about `scale`, different for each rank and position.
inline Numbers drawn(std::size_t n, int rank, Scalar scale) {
  Numbers numbers(n);
  std::uint32_t state = 12345u + 1000u * static_cast<std::uint32_t>(rank);
  for (Scalar& x : numbers) {
    state = state * 1664525u + 1013904223u;
    x = scale * (static_cast<Scalar>(state >> 8) * Scalar(0x1p-23) - 1);
  }
  return numbers;
}

}  // namespace course
