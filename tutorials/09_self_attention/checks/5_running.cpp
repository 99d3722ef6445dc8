#include "autograd/more/random.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/softmax.h"
#include "tutorials/09_self_attention/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/count_new.h"

namespace {

using Scores = std::vector<Scalar>;

void try_one(const std::string& what, const Scores& scores, gradus::Index width) {
  const gradus::Index count = std::ssize(scores);
  const gradus::Tensor values = gradus::normal({count, width}, {.seed = 3});
  Running running{.sum = Scores(static_cast<std::size_t>(width))};
  for (gradus::Index s = 0; s < count; ++s) {
    const Scores value(values.data() + s * width, values.data() + (s + 1) * width);
    const Scores before = value;
    gradus::no_memory(what, [&] { see(running, scores[static_cast<std::size_t>(s)], value); });
    if (value != before) gradus::red(what + ": see() has changed the value");
  }
  const auto y = answer(running);
  if (std::ssize(y) != width) {
    gradus::red(what + ": answer() must have " + std::to_string(width) + " numbers, got " +
                std::to_string(y.size()));
  }
  const auto row = [&](const Scores& x) { return gradus::tensor({1, std::ssize(x)}, x); };
  Scores exponentials = scores;
  for (Scalar& score : exponentials) score = std::exp(score);
  const gradus::Tensor sums = gradus::matmul(row(exponentials), values);
  gradus::expect(what, row(y), gradus::matmul(gradus::softmax(row(scores)), values),
                 {{row(Scores(y.size())), "nothing was added up"},
                  {sums, "the sum was not divided by the total"}});
}

}  // namespace

int main() {
  return gradus::run_check([] {
    try_one("one key", {0.5}, 3);
    try_one("scores that fall", {2, 1, 0.5, -1}, 3);
    try_one("scores that rise", {-1, 0.5, 1, 2}, 3);
    try_one("scores in any order", {0.3f, -2, 1.7f, 0, 1.7f, 3}, 5);
    try_one("scores of 10000", {10000, 9999, 10001}, 2);
    try_one("scores of -10000", {-10000, -9999, -10001}, 2);
    try_one("a hidden key last", {1, 2, -INFINITY}, 4);
    try_one("a hidden key first", {-INFINITY, 1, 2}, 4);
  });
}
