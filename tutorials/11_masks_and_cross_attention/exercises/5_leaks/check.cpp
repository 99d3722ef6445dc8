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
  const char* kind;
  const char* name;
  bool leaks;
  Model model;
  const char* cause;
};

std::vector<Claim> claims(Index time, Index channels) {
  KeySequence keys(3);
  const MultiHeadAttention a(channels, 2, keys, {});
  const auto causal = [a](const Tensor& x) { return a(x, x, {.causal = true}); };
  const auto open = [a](const Tensor& x) { return a(x, x); };
  const auto with = [causal, time](Index s, Index t, Scalar strength) -> Model {
    return [=](const Tensor& x) { return causal(x) + matmul(from_to(time, s, t, strength), x); };
  };
  const Index end = time - 1;
  return {
      {"models that do not leak", "causal attention", false, causal,
       "an output may depend on its own input and earlier ones"},
      {"models that do not leak", "a softmax behind causal attention", false,
       [causal](const Tensor& x) { return softmax(causal(x)); }, ""},
      {"models that do not leak", "a model that adds the input to causal attention", false,
       [causal](const Tensor& x) { return x + causal(x); }, ""},
      {"no mask", "attention without a mask", true, open, ""},
      {"no mask", "a softmax behind attention without a mask", true,
       [open](const Tensor& x) { return softmax(open(x)); },
       "the outputs of a softmax sum to 1 whatever x is: weight them before you sum"},
      {"leaks between two positions", "a leak from the last position to the first", true,
       with(end, 0, Scalar(0.1)), "look at all pairs of positions"},
      {"leaks between two positions", "a leak to the last but one", true,
       with(end, end - 1, Scalar(0.1)), "look at all pairs of positions"},
      {"leaks between two positions", "a leak from the last but one to the first", true,
       with(end - 1, 0, Scalar(0.1)), "look at all pairs of positions"},
      {"a leak of a billionth", "a leak of a billionth", true, with(end, 0, Scalar(1e-9)),
       "rounding hides it from the outputs; is there a tolerance in your test of gradients?"},
      {"leaks with their gradients cut", "a leak with its gradient cut", true,
       [causal, time](const Tensor& x) {
         return causal(x) + matmul(from_to(time, time - 1, 0, Scalar(0.1)), x.detach());
       },
       "the graph does not know of it: change later inputs, and compare outputs"},
      {"leaks with their gradients cut",
       "a leak from the last but one to the first with its gradient cut", true,
       [causal, time](const Tensor& x) {
         return causal(x) + matmul(from_to(time, time - 2, 0, Scalar(0.1)), x.detach());
       },
       "change every later input, not the last one alone"},
  };
}

}  // namespace

int main() {
  return gradus::run_check([] {
    std::vector<std::string> kinds;  // in their order
    for (const auto& [time, channels] : {std::pair<Index, Index>{3, 4}, {8, 6}}) {
      const Tensor x = normal({1, time, channels}, {.seed = 5});
      for (const Claim& claim : claims(time, channels)) {
        const std::string what =
            std::string(claim.name) + ", " + std::to_string(time) + " positions";
        const bool got =
            gradus::unchanged<Tensor>(what, {x}, [&] { return my_leaks(claim.model, x); });
        if (got != claim.leaks) {
          const std::string cause =
              claim.cause[0] ? std::string("\nlikely cause: ") + claim.cause : "";
          gradus::red(
              what +
              (got ? ": is sound, and was called leaking" : ": leaks, and was called sound") +
              cause);
        }
        if (kinds.empty() || kinds.back() != claim.kind) kinds.emplace_back(claim.kind);
      }
    }
    kinds.resize(kinds.size() / 2);  // each once
    for (const std::string& kind : kinds) gradus::green(kind + ", 3 and 8 positions");
  });
}
