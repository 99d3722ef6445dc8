#include "tutorials/11_masks_and_cross_attention/exercises.h"
#include "tutorials/common/guards.h"

namespace {

/// 1 at [t, s] and 0 elsewhere, [T, T]: times x, it brings input s to output t.
Tensor from_to(Index time, Index s, Index t, Scalar strength) {
  std::vector<Scalar> values(time * time);
  values[t * time + s] = strength;
  return tensor({1, time, time}, values);
}

struct Claim {
  std::string name;
  bool leaks;
  Model model;
};

std::vector<Claim> claims(Index time, Index channels) {
  KeySequence keys(3);
  const MultiHeadAttention a(channels, 2, keys, {});
  const auto causal = [a](const Tensor& x) { return a(x, x, {.causal = true}); };
  const auto open = [a](const Tensor& x) { return a(x, x); };
  const auto with = [=](Index s, Index t, Scalar strength, bool cut = false) -> Model {
    return [=](const Tensor& x) {
      return causal(x) + matmul(from_to(time, s, t, strength), cut ? x.detach() : x);
    };
  };
  const Index end = time - 1;
  return {
      {"causal attention", false, causal},
      {"a softmax behind causal attention", false,
       [=](const Tensor& x) { return softmax(causal(x)); }},
      {"a model that adds the input to causal attention", false,
       [=](const Tensor& x) { return x + causal(x); }},
      {"attention without a mask", true, open},
      {"a softmax behind attention without a mask", true,
       [=](const Tensor& x) { return softmax(open(x)); }},
      {"a leak from the last position to the first", true, with(end, 0, Scalar(0.1))},
      {"a leak to the last but one", true, with(end, end - 1, Scalar(0.1))},
      {"a leak from the last but one to the first", true, with(end - 1, 0, Scalar(0.1))},
      {"a leak of a billionth", true, with(end, 0, Scalar(1e-9))},
      {"a leak with its gradient cut", true, with(end, 0, Scalar(0.1), true)},
      {"a leak from the last but one to the first with its gradient cut", true,
       with(end - 1, 0, Scalar(0.1), true)},
  };
}

}  // namespace

CHECK_ANSWER() {
  for (const auto& [time, channels] : {std::pair<Index, Index>{3, 4}, {8, 6}}) {
    const Tensor x = normal({1, time, channels}, {.seed = 5});
    for (const Claim& claim : claims(time, channels)) {
      const std::string what = gradus::detail::text(claim.name, ", ", time, " positions");
      const bool got =
          gradus::unchanged<Tensor>(what, {x}, [&] { return my_leaks(claim.model, x); });
      if (got == claim.leaks) continue;
      gradus::red(what,
                  got ? ": is sound, and was called leaking" : ": leaks, and was called sound");
    }
    gradus::green("sound models and leaks, ", time, " positions");
  }
}
