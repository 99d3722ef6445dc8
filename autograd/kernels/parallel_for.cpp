#include "autograd/kernels/parallel_for.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"

namespace gradus {
using namespace detail;
namespace {

/// How long a thread spins for work before it sleeps: longer than the gaps within a training step,
/// short enough to cost other programs little.
constexpr std::chrono::microseconds kPatience(100);

int cores() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count = [] {
    const char* wish = std::getenv("OMP_NUM_THREADS");
    const int number = wish == nullptr ? 0 : std::atoi(wish);
    return number > 0 ? number : cores();
  }();
  return count;
}

/// Returns when `state` is no longer `value`.
void wait_while(const std::atomic<int>& state, int value) {
  if (thread_count() <= cores()) {  // with more threads than cores, spinning delays others
    const auto end = std::chrono::steady_clock::now() + kPatience;
    do {
      for (int i = 0; i < 16; ++i) {
        if (state.load(std::memory_order_acquire) != value) {
          return;
        }
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
      }
    } while (std::chrono::steady_clock::now() < end);
  }
  state.wait(value, std::memory_order_acquire);
}

/// Every `shares`-th part, starting with number `share`.
struct Share {
  int share, shares, parts;
  void (*run)(void*, int);
  void* piece;
  ProductPrecision precision;  // the caller's precision

  std::exception_ptr operator()() const {
    const ValueScope scope(product_precision, precision);
    try {
      for (int part = share; part < parts; part += shares) {
        run(piece, part);
      }
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
};

/// A thread and the share of the work assigned to it.
class Worker {
 public:
  Worker() {
    std::thread([this] { serve(); }).detach();  // detached: it is asleep when the process ends
  }

  void offer(const Share& share) {
    share_ = share;
    state_.store(kOffered);  // before notify_one() looks for waiting threads
    state_.notify_one();
  }

  /// Returns when the share is done; the calling thread does it if the worker has not begun.
  std::exception_ptr finish() {
    if (int offered = kOffered; state_.compare_exchange_strong(offered, kFree)) {
      return share_();
    }
    wait_while(state_, kTaken);
    return std::exchange(failure_, nullptr);
  }

 private:
  enum : int { kFree, kOffered, kTaken };

  [[noreturn]] void serve() {
    detail::inside_parallel = true;
    for (;;) {
      wait_while(state_, kFree);
      if (int offered = kOffered; state_.compare_exchange_strong(offered, kTaken)) {
        failure_ = share_();
        state_.store(kFree);
        state_.notify_one();
      }
    }
  }

  alignas(64) std::atomic<int> state_ = kFree;
  Share share_;
  std::exception_ptr failure_;
};

struct Pool {
  std::atomic_flag in_use;
  std::vector<std::unique_ptr<Worker>> workers;

  /// Grows the pool to `count` workers, or as many as the system allows.
  int grow_to(int count) {
    try {
      workers.reserve(static_cast<std::size_t>(count));  // so that push_back() cannot fail
      while (std::ssize(workers) < count) {
        workers.push_back(std::make_unique<Worker>());
      }
    } catch (const std::exception&) {  // no more threads: the caller does more of the work itself
    }
    return std::min(count, static_cast<int>(workers.size()));
  }
};

/// Never destroyed, because its threads are not.
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

}  // namespace

constinit thread_local bool detail::inside_parallel = false;

int num_threads() { return thread_count(); }

void set_num_threads(int count) {
  check(count >= 1, "set_num_threads: needs at least 1 thread, got ", count);
  thread_count() = count;
}

void detail::run_parts(int parts, void (*run)(void* piece, int part), void* piece) {
  Pool& pool = gradus::pool();
  const bool alone = pool.in_use.test_and_set(std::memory_order_acquire);  // already in use
  const int helpers = alone ? 0 : pool.grow_to(std::min(parts, num_threads()) - 1);
  inside_parallel = true;
  for (int i = 0; i < helpers; ++i) {
    pool.workers[i]->offer({i + 1, helpers + 1, parts, run, piece, product_precision});
  }
  std::exception_ptr failure = Share{0, helpers + 1, parts, run, piece, product_precision}();
  for (int i = 0; i < helpers; ++i) {
    const std::exception_ptr another = pool.workers[i]->finish();
    failure = failure ? failure : another;
  }
  inside_parallel = false;
  if (!alone) {
    pool.in_use.clear(std::memory_order_release);
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace gradus
