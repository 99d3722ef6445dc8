/// @file
/// Chapter 23: sums over all ranks: the bytes that they send, and their order.
#pragma once

#include "together.h"
#include "tutorials/common/time.h"

// [via_rank_0]
/// All ranks send to rank 0, which adds, and sends the sum back.
inline void sum_via_rank_0(Ranks& ranks, std::span<Scalar> numbers) {
  if (ranks.rank > 0) {
    ranks.transfer(0, numbers, 0, {});
    ranks.transfer(0, {}, 0, numbers);
    return;
  }
  std::vector<Scalar> arrived(numbers.size());
  for (int r = 1; r < ranks.size; ++r) {
    ranks.transfer(r, {}, r, arrived);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += arrived[i];
  }
  for (int r = 1; r < ranks.size; ++r) ranks.transfer(r, numbers, r, {});
}
// [via_rank_0]

inline void bytes(const Tales& tales) {
  const Part part("bytes");
  // [bytes]
  Gpt model = small_gpt(tales, 1);
  const std::vector<Scalar> once = weights(model);  // as many numbers as gradients
  std::printf("gradients: %zu bytes\n", once.size() * sizeof(Scalar));
  std::printf("Bytes sent by the busiest rank, as a multiple of the gradients:\n");
  std::printf("ranks  via rank 0    ring  in order  2 (N - 1) / N\n");
  for (const int size : {2, 4, 8, 16}) {
    std::printf("%5d    ", size);
    for (const Sum& sum : {Sum(sum_via_rank_0), Sum(ring_sum), Sum(sum_in_order)}) {
      in_ranks(size, [&](Ranks& ranks) {
        std::vector<Scalar> numbers = once;
        sum(ranks, numbers);
        double most = double(ranks.sent) / double(once.size() * sizeof(Scalar));
        for (int r = 1; r < size; ++r) {  // rank 0 asks all others
          Scalar theirs = Scalar(most);
          if (ranks.rank == r) ranks.transfer(0, {&theirs, 1}, 0, {});
          if (ranks.rank == 0) ranks.transfer(r, {}, r, {&theirs, 1});
          most = std::max(most, double{theirs});
        }
        if (ranks.rank == 0) std::printf("%9.2f", most);
      });
    }
    std::printf("%15.2f\n", 2 * (size - 1.0) / size);
  }
  // [bytes]
}

inline void orders() {
  const Part part("orders");
  // [orders]
  const Scalar large = 1e8, one = 1;
  std::printf("(1e8 + 1) - 1e8 = %g, (1 - 1e8) + 1e8 = %g, (-1e8 + 1e8) + 1 = %g\n",
              double{(large + one) - large}, double{(one - large) + large},
              double{(-large + large) + one});
  for (const bool ring : {true, false}) {
    in_ranks(3, [&](Ranks& ranks) {  // the ranks have 1e8, 1 and -1e8, nine times
      const Scalar own[] = {large, one, -large};
      std::vector<Scalar> numbers(9, own[ranks.rank]);
      ring ? ring_sum(ranks, numbers) : sum_in_order(ranks, numbers);
      if (ranks.rank > 0) return;
      std::printf(ring ? "ring     " : "in order ");
      for (const Scalar x : numbers) std::printf(" %g", double{x});
      std::printf("\n");
    });
  }
  // [orders]
}

inline void messages() {
  const Part part("messages");
  // [messages]
  std::printf("ranks  messages  microseconds  per message\n");
  for (const int size : {2, 4, 8, 16}) {
    const int first = size - 1, last = (2 * size - 3) % size;  // to send; to get the sum
    const int count = 2 * (size - 1) + (first != last), times = 100;
    in_ranks(size, [&](Ranks& ranks) {
      Scalar number = 0;  // in one part: while one rank sends it, all others wait
      const auto sum = [&] {
        ring_sum(ranks, {&number, 1});
        if (first == last) return;  // otherwise the last rank lets the first begin again
        if (ranks.rank == last) ranks.transfer(first, {&number, 1}, first, {});
        if (ranks.rank == first) ranks.transfer(last, {}, last, {&number, 1});
      };
      const auto sums = [&] {
        for (int i = 0; i < times; ++i) sum();
      };
      const double microseconds = shortest_seconds(20, sums) / times * 1e6;
      if (ranks.rank > 0) return;
      std::printf("%5d %9d %13.0f %12.1f\n", size, count, microseconds, microseconds / count);
    });
  }
  // [messages]
}
