/// @file
/// Ranks that are threads of one process, to test training with several ranks without a network.
#pragma once

#include <algorithm>
#include <barrier>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "nn/train/ranks.h"

namespace gradus {

/// The data that the threads of a training run share.
struct ThreadMeeting {
  explicit ThreadMeeting(int size) : given(static_cast<std::size_t>(size)), barrier(size) {}
  std::vector<std::vector<double>> given;  // by each rank
  std::string bytes;
  std::barrier<> barrier;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(ThreadMeeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.given.size()); }
  void sum(std::span<const Tensor> tensors) override {
    for (const Tensor& x : tensors) {
      const auto all = exchanged({x.begin(), x.end()});
      for (Index i = 0; i < x.size(); ++i) {
        const auto of_rank = [&](int rank) {
          return static_cast<Scalar>(
              all[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)]);
        };
        x.mutable_data()[i] =
            sum_by_halves(0, size(), of_rank, [](Scalar& a, Scalar b) { a += b; });
      }
    }
  }
  void sum(std::span<double> numbers) override {
    const auto all = exchanged({numbers.begin(), numbers.end()});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = 0;
      for (const auto& one : all) numbers[i] += one[i];
    }
  }
  void share(std::string& bytes) override {
    if (is_first()) meeting_.bytes = bytes;
    meeting_.barrier.arrive_and_wait();
    bytes = meeting_.bytes;
    meeting_.barrier.arrive_and_wait();
  }

 private:
  std::vector<std::vector<double>> exchanged(std::vector<double> own) {
    meeting_.given[static_cast<std::size_t>(rank_)] = std::move(own);
    meeting_.barrier.arrive_and_wait();
    auto all = meeting_.given;
    meeting_.barrier.arrive_and_wait();
    return all;
  }
  ThreadMeeting& meeting_;
  int rank_;
};

/// Calls work(ranks) on this many threads at once. Throws a thread's exception when all threads are
/// done: either all threads must throw or none.
template <class Work>
void on_ranks(int size, const Work& work) {
  ThreadMeeting meeting(size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadRank own(meeting, rank);
        work(own);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace gradus
