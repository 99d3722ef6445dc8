#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/check.h"

using gradus::red;

namespace {

struct Mistake {
  double value;
  const char* words;
};

void hold(const std::string& what, double m, double n, double k) {
  const double got = intensity(Index(m), Index(n), Index(k));
  const double operations = 2 * m * n * k, numbers = m * k + k * n + m * n;
  const double right = operations / (4 * numbers);
  const auto near = [&](double value) { return std::abs(got - value) <= 1e-6 * std::abs(value); };
  if (near(right)) return gradus::green(what + ": " + std::to_string(right) + " operations a byte");
  std::string said = what + ": got " + std::to_string(got) + ", expected " + std::to_string(right);
  for (const Mistake& mistake : std::vector<Mistake>{
           {right / 2, "a multiplication and an addition are two operations"},
           {right * 4, "a float has four bytes"},
           {right / 2 * 4, "two operations for each term, four bytes for each number"},
           {operations / 8 / numbers, "a float has four bytes, a double eight"},
           {operations / 4 / (m * k + k * n), "the result is written, too"},
           {operations / 4 / (numbers + m * n), "the result is written once, and not read"},
           {operations / 4 / (m * k + m * n), "the second factor is read, too"},
           {operations / 4 / (k * n + m * n), "the first factor is read, too"},
           {1 / right, "that is bytes for each operation"},
           {std::floor(right), "the division was one of whole numbers"},
           {k / 2, "bytes of the result alone"}}) {
    if (near(mistake.value)) red(said + "\nlikely cause: " + mistake.words);
  }
  if (m > 1e6) red(said + "\nlikely cause: 2 m n k is larger than any Index: compute in double");
  red(said);
}

void waits(const std::string& what, Index m, Index n, Index k, const Machine& machine, bool right) {
  const bool got = waits_for_memory(m, n, k, machine);
  if (got == right) return gradus::green(what + (right ? " waits for memory" : " does not wait"));
  red(what + ": got that it " + (got ? "waits" : "does not wait") +
      "\nlikely cause: compare operations a byte with the machine's operations for each byte, " +
      "peak over bandwidth");
}

}  // namespace

int main() {
  return gradus::run_check([] {
    hold("a linear layer, [512, 64] times [64, 256]", 512, 256, 64);
    hold("scores of a head, [32, 16] times [16, 48]", 32, 48, 16);
    hold("one token, [1, 64] times [64, 256]", 1, 256, 64);
    hold("an outer product, [7, 1] times [1, 5]", 7, 5, 1);
    hold("a very large product", 4e6, 5e6, 3e6);
    const Machine ours{1e11, 2e10}, slow_memory{1e11, 2e9}, slow{1e9, 2e10};
    waits("the linear layer", 512, 256, 64, ours, false);
    waits("one token", 1, 256, 64, ours, true);
    waits("one token, on a slow processor", 1, 256, 64, slow, false);
    waits("the linear layer, with a slow memory", 512, 256, 64, slow_memory, true);
    waits("a very large product, with a slow memory", 4000000, 5000000, 3000000, slow_memory,
          false);
  });
}
