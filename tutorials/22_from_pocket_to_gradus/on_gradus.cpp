// The other half of the program: the same models on gradus's engine, which engine.h puts below
// them.
#include <memory>
#include <optional>

#include "autograd/inspect/profile.h"
#include "autograd/kernels/allocator.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/two_paths.h"
#include "tests/pocket/on_gradus/engine.h"
#include "tutorials/22_from_pocket_to_gradus/step.h"

Step gradus_step(const Sizes& sizes, const GradusWith& with) {
  return [trained = std::make_shared<on_gradus::Trained>(sizes), with] {
    gradus::set_num_threads(with.threads);
    std::optional<gradus::ComposedOps> composed;
    if (!with.fused) composed.emplace();
    return trained->step();
  };
}

Work gradus_work(const Sizes& sizes) {
  on_gradus::Trained trained(sizes);
  trained.step();
  const auto before = gradus::allocator_stats();
  gradus::reset_peak_memory();
  gradus::Profile profile;
  {
    const gradus::ProfileScope round(profile);
    trained.step();
  }
  const auto after = gradus::allocator_stats();
  Work work{0, 0, double(after.allocations - before.allocations),
            double(after.peak_bytes_in_use - before.bytes_in_use) / 1e6};
  for (const auto& [key, entry] : profile.entries()) {
    work.operations += double(entry.flops) / 1e6;
    work.ops += key.first == gradus::ProfilePart::kForward ? double(entry.calls) : 0;
  }
  return work;
}

std::function<Spent()> gradus_spent(const Sizes& sizes) {
  gradus::set_num_threads(1);
  return [trained = std::make_shared<on_gradus::Trained>(sizes)] {
    gradus::Profile profile;
    {
      const gradus::ProfileScope round(profile);
      passed = [](const char* name) { gradus::profile_mark(name); };
      trained->step();
      passed = [](const char*) {};
    }
    Spent spent;
    for (const auto& [key, entry] : profile.entries()) {
      spent[std::string(key.second)] +=
          std::chrono::duration<double, std::milli>(entry.time).count();
    }
    return spent;
  };
}

std::vector<Measured> gradus_ops() {
  gradus::set_num_threads(1);
  return on_gradus::ops();
}

std::function<void()> gradus_attention(int length) {
  gradus::set_num_threads(1);
  std::vector<gradus::Tensor> x;
  for (std::uint64_t i = 0; i < 3; ++i) {
    x.push_back(gradus::normal({4, length, 16}, {.seed = i}).set_requires_grad());
  }
  return [x]() mutable {
    backward(sum(gradus::scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true})));
    for (gradus::Tensor& each : x) each.zero_grad();
  };
}

double gradus_most(const std::function<void()>& f) {
  f();
  const auto before = gradus::allocator_stats().bytes_in_use;
  gradus::reset_peak_memory();
  f();
  return double(gradus::allocator_stats().peak_bytes_in_use - before) / 1e6;
}
