#include "autograd/kernels/allocator.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <semaphore>
#include <thread>

#include "autograd/index_tensor.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

// With the address sanitizer every block is freed, so no memory is cached.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCaching = false;
#elif defined(__has_feature)
constexpr bool kCaching = !__has_feature(address_sanitizer);
#else
constexpr bool kCaching = true;
#endif

/// A thread that runs jobs one after the other. The thread that made it waits for each job.
class Worker {
 public:
  ~Worker() {
    run([this] { done_ = true; });
    thread_.join();
  }
  void run(const std::function<void()>& job) {
    job_ = job;
    begin_.release();
    end_.acquire();
  }

 private:
  std::function<void()> job_;
  bool done_ = false;
  std::binary_semaphore begin_{0}, end_{0};
  std::thread thread_{[this] {
    while (!done_) {
      begin_.acquire();
      job_();
      end_.release();
    }
  }};
};

constexpr int kAlive = 5;

std::vector<Tensor> batch() {
  std::vector<Tensor> tensors;
  for (int i = 0; i < kAlive; ++i) {
    tensors.push_back(Tensor(Shape{16'384}));
  }
  return tensors;
}

}  // namespace

TEST_CASE("allocator: blocks of every size are aligned, writable and apart") {
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (std::size_t bytes = 0; bytes < 5'000'000; bytes = bytes * 5 / 4 + 1) {
    auto* block = static_cast<char*>(allocate(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
    std::memset(block, static_cast<int>(blocks.size()), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, bytes] = blocks[i];
    CHECK(std::all_of(block, block + bytes, [=](char c) { return c == static_cast<char>(i); }));
    deallocate(block, bytes);
  }
}

TEST_CASE("allocator: a freed block serves the next request of its size class") {
  if (!kCaching) return;
  for (const std::size_t bytes : {1, 64, 500, 5000, 3'000'000}) {
    CAPTURE(bytes);
    void* first = allocate(bytes);
    deallocate(first, bytes);
    const std::uint64_t before = allocator_stats().system_allocations;
    void* second = allocate(bytes);
    CHECK(second == first);
    CHECK(allocator_stats().system_allocations == before);
    deallocate(second, bytes);
  }
}

TEST_CASE("allocator: sizes that share a class are served from it, and waste an eighth at most") {
  release_cached_memory();
  for (const std::size_t bytes : {513, 1000, 1025, 70'000, 1'000'001, 5'000'011}) {
    CAPTURE(bytes);
    const auto before = allocator_stats().bytes_in_use;
    void* block = allocate(bytes);
    const auto taken = static_cast<std::size_t>(allocator_stats().bytes_in_use - before);
    CHECK(taken >= bytes);
    CHECK(taken <= bytes + bytes / 8 + 64);
    std::memset(block, 1, taken);
    deallocate(block, bytes);
    if (kCaching) {
      void* again = allocate(taken);
      CHECK(again == block);
      deallocate(again, taken);
    }
  }
}

TEST_CASE("allocator: index tensors lie in its blocks") {
  const auto in_use = [] { return allocator_stats().bytes_in_use; };
  const auto before = in_use();
  {
    const IndexTensor x(Shape{1000});
    CHECK(in_use() >= before + 4000);
    const auto with_x = in_use();
    const IndexTensor view = x.reshape({10, 100});  // the same numbers
    CHECK(in_use() < with_x + 4000);
  }
  CHECK(in_use() == before);
}

TEST_CASE("allocator: the figures follow what happens") {
  release_cached_memory();
  const AllocatorStats before = allocator_stats();
  CHECK(before.bytes_cached == 0);
  void* a = allocate(64);
  void* b = allocate(128);
  AllocatorStats now = allocator_stats();
  CHECK(now.bytes_in_use == before.bytes_in_use + 192);
  CHECK(now.allocations == before.allocations + 2);
  CHECK(now.system_allocations == before.system_allocations + 2);
  deallocate(a, 64);
  now = allocator_stats();
  CHECK(now.bytes_in_use == before.bytes_in_use + 128);
  CHECK(now.bytes_cached == (kCaching ? 64 : 0));
  a = allocate(64);  // out of the cache
  CHECK(allocator_stats().bytes_cached == 0);
  deallocate(a, 64);
  deallocate(b, 128);
  CHECK(allocator_stats().bytes_in_use == before.bytes_in_use);
  CHECK(allocator_stats().bytes_cached == (kCaching ? 192 : 0));
  release_cached_memory();
  CHECK(allocator_stats().bytes_cached == 0);
}

TEST_CASE("allocator: the peak is the most in use since it was reset") {
  const auto base = allocator_stats().bytes_in_use;
  reset_peak_memory();
  CHECK(allocator_stats().peak_bytes_in_use == base);
  deallocate(allocate(4096 + 64), 4096 + 64);  // a size that has its own class
  deallocate(allocate(64), 64);
  CHECK(allocator_stats().peak_bytes_in_use == base + 4096 + 64);
  reset_peak_memory();
  CHECK(allocator_stats().peak_bytes_in_use == base);
}

TEST_CASE("allocator: a failed request throws std::bad_alloc and loses no memory") {
  const AllocatorStats before = allocator_stats();
  CHECK_THROWS_AS(static_cast<void>(allocate(~std::size_t{0})), std::bad_alloc);
  CHECK_THROWS_AS(static_cast<void>(allocate((std::size_t{1} << 62) + 1)), std::bad_alloc);
  CHECK_THROWS_AS(zeros({Index{1} << 62}), std::bad_alloc);
  if (kCaching) {  // the sanitizer's allocator would stop the program
    CHECK_THROWS_AS(static_cast<void>(allocate(std::size_t{1} << 60)), std::bad_alloc);
    CHECK_THROWS_AS(zeros({Index{1} << 56}), std::bad_alloc);
    CHECK(allocator_stats().bytes_cached == 0);  // returned to the system, in case it helps
  }
  CHECK(allocator_stats().bytes_in_use == before.bytes_in_use);
}

TEST_CASE("allocator: tensors take from it, and a repeated computation takes nothing new") {
  const auto step = [] {
    const Tensor x = drawn({53, 97}, 0).set_requires_grad();
    const Tensor loss = mean(x * x + 1 / (x * x + 1));
    backward(loss);
    return x.grad();
  };
  const auto in_use = allocator_stats().bytes_in_use;
  step();
  const std::uint64_t before = allocator_stats().system_allocations;
  for (int i = 0; i < 5; ++i) {
    step();
  }
  CHECK(allocator_stats().bytes_in_use == in_use);
  if (kCaching) {
    CHECK(allocator_stats().system_allocations == before);
  }
}

TEST_CASE("allocator: a block may be given back on another thread") {
  void* block = allocate(640);
  const auto before = allocator_stats().bytes_in_use;
  std::thread([=] {
    deallocate(block, 640);
    CHECK(allocator_stats().bytes_in_use == -640);
    if (kCaching) {
      CHECK(allocate(640) == block);
      deallocate(block, 640);
    }
    deallocate(allocate(64), 64);
    CHECK(allocator_stats().peak_bytes_in_use <= 64);
  }).join();
  CHECK(allocator_stats().bytes_in_use == before);  // this thread's own count
}

TEST_CASE("allocator: blocks made on one thread and freed on another do not accumulate") {
  if (!kCaching) return;
  Worker consumer;
  release_cached_memory();
  const std::uint64_t before = allocator_stats().system_allocations;
  for (int round = 0; round < 100; ++round) {
    std::vector<Tensor> tensors = batch();
    consumer.run([&] { tensors.clear(); });
  }
  // A body and a storage for each live tensor.
  CHECK(allocator_stats().system_allocations - before <= 2 * kAlive);
  std::size_t cached = 0;
  consumer.run([&] { cached = allocator_stats().bytes_cached; });
  CHECK(cached == 0);
}

TEST_CASE("allocator: nor where two threads make and drop in turns") {
  if (!kCaching) return;
  release_cached_memory();
  Worker workers[2];
  for (int round = 0; round < 100; ++round) {
    std::vector<Tensor> tensors;
    const int maker = round / 10 % 2;
    workers[maker].run([&] { tensors = batch(); });
    workers[1 - maker].run([&] { tensors.clear(); });
  }
  std::uint64_t taken = 0;
  for (Worker& worker : workers) {
    worker.run([&] { taken += allocator_stats().system_allocations; });
  }
  CHECK(taken <= 2 * 2 * kAlive);
}

TEST_CASE("allocator: tensors of a power of two take no more than they hold") {
  for (Index size = 64; size <= Index{1} << 22; size *= 2) {
    CAPTURE(size);
    const auto before = allocator_stats().bytes_in_use;
    const Tensor x(Shape{size});
    const auto bytes = size * static_cast<Index>(sizeof(Scalar));
    CHECK(allocator_stats().bytes_in_use - before - bytes <= 512);  // counts, shape
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
  }
}

TEST_CASE("allocator: the tests' blocks begin as NaN, however often they were used") {
  for (int round = 0; round < 2; ++round) {
    Tensor x(Shape{10'007});
    CHECK(std::all_of(x.begin(), x.end(), [](Scalar v) { return v != v; }));
    std::fill_n(x.mutable_data(), x.size(), Scalar(1));
  }
}
