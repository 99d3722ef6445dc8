#include "tutorials/15_the_decoder_and_gpt/exercises.h"
#include "tutorials/common/check.h"

int main() {
  return run_check([] {
    std::vector<std::int32_t> text;
    for (Index i = 0; i < 23; ++i) {
      text.push_back(static_cast<std::int32_t>(1 + uniform_index({.seed = 1}, i, 60)));
    }
    const auto at = [&](Index i) { return text[static_cast<std::size_t>(i)]; };
    for (const auto& [begin, time] : {std::pair<Index, Index>{5, 6}, {0, 4}, {14, 8}, {3, 1}}) {
      const auto [inputs, targets] = example_at(text, begin, time);
      const std::string where = "an example of " + std::to_string(time) + " from token " +
                                std::to_string(begin) + ", of " + std::to_string(text.size());
      if (!inputs.defined() || !targets.defined() || inputs.shape() != Shape{time} ||
          targets.shape() != Shape{time}) {
        red(where + ": inputs and targets must be [" + std::to_string(time) + "] each: inputs " +
            shape_got(inputs) + ", targets " + shape_got(targets));
      }
      const auto targets_are = [&, &targets = targets, time = time](auto which) {
        for (Index t = 0; t < time; ++t) {
          if (targets.data()[t] != which(t)) return false;
        }
        return true;
      };
      std::vector<std::int32_t> right_inputs, right_targets;
      for (Index t = 0; t < time; ++t) {
        right_inputs.push_back(at(begin + t)), right_targets.push_back(at(begin + t + 1));
      }
      if (inputs.values() != right_inputs) {
        std::cout << "got inputs " << inputs << ", expected " << IndexTensor({time}, right_inputs)
                  << "\n";
        red(where + ": inputs begin at token `begin` and go on token by token");
      }
      if (targets.values() == right_targets) {
        green(where);
        continue;
      }
      std::cout << "inputs      " << inputs << "\ngot targets " << targets << "\nexpected    "
                << IndexTensor({time}, right_targets) << "\n";
      const Index first = begin, length = time;
      std::string cause;
      if (targets_are([&](Index t) { return at(first + t); })) {
        cause = "\nlikely cause: targets are the inputs: a model learns to repeat what it sees";
      } else if (targets_are([&](Index t) { return at(std::max<Index>(first + t - 1, 0)); })) {
        cause = "\nlikely cause: targets are what came before, not what comes next";
      } else if (targets_are([&](Index t) { return at(std::min<Index>(first + t + 2, 22)); })) {
        cause = "\nlikely cause: targets are two steps on";
      } else if (targets_are([&](Index t) { return at(first + (t + 1) % length); })) {
        cause =
            "\nlikely cause: the last target is the first input: it stands in the text, behind the "
            "inputs";
      } else if (targets_are([&](Index t) { return t + 1 < length ? at(first + t + 1) : 0; })) {
        cause =
            "\nlikely cause: the last target is missing: it stands in the text, behind the inputs";
      }
      red(where + cause);
    }
  });
}
