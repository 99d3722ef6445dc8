#include "autograd/inspect/profile.h"

#include <doctest/doctest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include "autograd/graph.h"
#include "autograd/kernels/allocator.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

using namespace gradus;

namespace {

constexpr ProfilePart kForward = ProfilePart::kForward;
constexpr ProfilePart kBackward = ProfilePart::kBackward;
constexpr ProfilePart kOutside = ProfilePart::kOutside;

/// The entry with this name; an empty entry if there is none.
ProfileEntry entry(const Profile& profile, ProfilePart part, const char* name) {
  const auto found = profile.entries().find({part, name});
  return found != profile.entries().end() ? found->second : ProfileEntry();
}

}  // namespace

TEST_CASE("profile: counts the calls of each op, forward and backward") {
  const Tensor x = full({2, 3}, 2).set_requires_grad();
  Profile profile;
  for (int round = 0; round < 5; ++round) {
    const ProfileScope scope(profile);
    const Tensor y = exp(x) * x;  // backwards exp and mul are computed by ops: none of them counts
    backward(sum(exp(y)));
  }
  CHECK(profile.rounds() == 5);
  CHECK(entry(profile, kForward, "exp").calls == 10);
  CHECK(entry(profile, kBackward, "exp").calls == 10);
  CHECK(entry(profile, kForward, "mul").calls == 5);
  CHECK(entry(profile, kBackward, "mul").calls == 5);
  CHECK(entry(profile, kBackward, "sum").calls == 5);
  CHECK(entry(profile, kBackward, "graph").calls == 5);
  // Two gradients are added at x, and in all rounds except the first also x's earlier gradient.
  CHECK(entry(profile, kBackward, "accumulate").calls == 1 + 4 * 2);
  CHECK(entry(profile, kOutside, "rest").calls == 5);
  CHECK(entry(profile, kForward, "add").calls == 0);
}

TEST_CASE("profile: the graph is sorted before any gradients are added") {
  struct Marks : detail::Observer {
    void forward(const char*, std::span<const Tensor>, const Tensor&) override {}
    void backward(const char* op, const Tensor&, std::span<const Tensor>) override {
      names += std::string(op) + " ";
    }
    std::string names;
  } marks;
  const Tensor x = full({2}, 3).set_requires_grad();
  const Tensor y = exp(x);
  {
    const detail::ValueScope<detail::Observer*> scope(detail::observer, &marks);
    grad({y, y}, {x});
  }
  CHECK(marks.names == "graph accumulate exp ");
}

TEST_CASE("profile: a matrix product is 2 m n k forward, twice that backward") {
  const Tensor a = full({5, 7}, 1).set_requires_grad();
  const Tensor b = full({7, 3}, 1).set_requires_grad();
  const Tensor bias = full({3}, 1).set_requires_grad();
  const std::uint64_t once = 2 * 5 * 7 * 3;
  Profile profile;
  {
    const ProfileScope scope(profile);
    backward(sum(matmul(a, b)));
    backward(sum(linear(a, b, bias)));
  }
  for (const char* op : {"matmul", "linear"}) {
    CAPTURE(op);
    CHECK(entry(profile, kForward, op).flops == once);
    CHECK(entry(profile, kBackward, op).flops == 2 * once);
  }
  CHECK(entry(profile, kForward, "sum").flops == 0);
}

TEST_CASE("profile: products on many threads are all counted") {
  const int threads = num_threads();
  for (const int count : {1, 3}) {
    set_num_threads(count);
    const Index batch = 2, t = 96, heads = 3, d = 16;
    const Tensor qkv = full({batch, t, 3 * heads * d}, Scalar(0.1)).set_requires_grad();
    Profile profile;
    {
      const ProfileScope scope(profile);
      backward(sum(packed_self_attention(qkv, heads)));
    }
    // Two products of every head forward and five backward: queries and keys, weights and values.
    const std::uint64_t once = 2 * batch * heads * t * t * d;
    CHECK(entry(profile, kForward, "packed_self_attention").flops == 2 * once);
    CHECK(entry(profile, kBackward, "packed_self_attention").flops == 5 * once);
    // Wide products are divided among the threads; a few rows do not use the BLAS.
    for (const Index m : {2, 300}) {
      const Tensor a = full({m, 200}, 1), b = full({200, 100}, 1);
      Profile products;
      {
        const ProfileScope scope(products);
        matmul(a, b);
      }
      CHECK(entry(products, kForward, "matmul").flops ==
            2 * static_cast<std::uint64_t>(m) * 200 * 100);
    }
  }
  set_num_threads(threads);
}

TEST_CASE("profile: counts the bytes of each argument and result, and none for shared elements") {
  const Tensor x = full({5, 7}, 2).set_requires_grad();
  const Tensor b = full({7}, 2).set_requires_grad();
  Profile profile;
  {
    const ProfileScope scope(profile);
    backward(sum(reshape(x + b, {35})));
  }
  const std::uint64_t scalar = sizeof(Scalar);
  CHECK(entry(profile, kForward, "add").bytes == (35 + 7 + 35) * scalar);
  CHECK(entry(profile, kBackward, "add").bytes == (35 + 7) * scalar);  // dx is dy itself
  CHECK(entry(profile, kForward, "reshape").bytes == 0);
  CHECK(entry(profile, kBackward, "reshape").bytes == 0);
  CHECK(entry(profile, kForward, "sum").bytes == (35 + 1) * scalar);
  CHECK(entry(profile, kBackward, "sum").bytes == (1 + 35) * scalar);
}

TEST_CASE("profile: all time is somebody's") {
  const Tensor x = full({50, 70}, Scalar(0.5)).set_requires_grad();
  Profile profile;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < 3; ++round) {
    const ProfileScope scope(profile);
    backward(sum(exp(x) * x));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    profile_mark("optimiser");
  }
  const auto passed = std::chrono::steady_clock::now() - start;
  std::chrono::nanoseconds sum{0};
  for (const auto& [key, entry] : profile.entries()) {
    sum += entry.time;
  }
  CHECK(sum == profile.time());
  CHECK(sum <= passed);  // nothing is counted twice
  CHECK(entry(profile, kOutside, "optimiser").calls == 3);
  CHECK(entry(profile, kOutside, "optimiser").time >= std::chrono::milliseconds(15));
  CHECK(entry(profile, kForward, "exp").time.count() > 0);
  CHECK(entry(profile, kBackward, "exp").time.count() > 0);
}

TEST_CASE("profile: blocks taken from the system go to the op that took them") {
  release_cached_memory();
  const Tensor x = full({123, 457}, 1);
  Profile profile;
  for (int round = 0; round < 2; ++round) {
    const ProfileScope scope(profile);
    exp(x);  // the elements; smaller blocks may come from the lists of free blocks
  }
  CHECK(entry(profile, kForward, "exp").system_blocks >= 1);
}

TEST_CASE("profile: sees ops that record nothing, and none outside of its rounds") {
  const Tensor x = full({2, 3}, 2).set_requires_grad();
  Profile profile, other;
  exp(x);
  profile_mark("before");
  {
    const ProfileScope scope(profile);
    const NoGrad no_grad;
    exp(x);
    {
      const NoGrad again;
      exp(x);
      const ProfileScope inner(other);
      log(x);
    }
    const ProfileScope nothing(nullptr);
    exp(x);
  }
  exp(x);
  profile_mark("after");
  CHECK(entry(profile, kForward, "exp").calls == 3);
  CHECK(entry(other, kForward, "log").calls == 1);
  CHECK(profile.entries().size() == 2);  // exp and the rest
  CHECK(other.entries().size() == 2);
  const std::uint64_t flops = flops_counted();
  matmul(full({20, 20}, 1), full({20, 20}, 1));
  CHECK(flops_counted() == flops);
}

TEST_CASE("profile: an error within a gradient leaves it usable") {
  const Tensor x = full({2, 3}, 2).set_requires_grad();
  Profile profile;
  const ProfileScope scope(profile);
  const Tensor y = record("broken", full({2, 3}, 1), {x}, [](const Tensor&) -> Gradients {
    throw std::runtime_error("broken on purpose");
  });
  CHECK_THROWS_WITH_AS(backward(sum(y)), doctest::Contains("on purpose"), std::runtime_error);
  exp(x);
  CHECK(entry(profile, kForward, "exp").calls == 1);
  CHECK(entry(profile, kBackward, "broken").calls == 0);
  const Tensor once = sum(x);
  backward(once);
  CHECK_THROWS_AS(backward(once), std::invalid_argument);  // before the pass begins
  exp(x);
  CHECK(entry(profile, kForward, "exp").calls == 2);
}
