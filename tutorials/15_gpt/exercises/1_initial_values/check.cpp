#include "pocket/gpt.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::green, gradus::red;

namespace {

double root_mean_square(const Tensor& x) {
  double squares = 0;
  for (const Scalar v : x) squares += double{v} * v;
  return std::sqrt(squares / static_cast<double>(x.size()));
}

void check_layers(int layers, Position position) {
  const GptConfig config{.vocab_size = 61,
                         .n_positions = 32,
                         .n_layer = layers,
                         .n_head = 4,
                         .n_embd = 64,
                         .position = position};
  Gpt model(config, 3);
  const std::string who = std::to_string(layers) + " blocks, ";
  const double half = 0.02 / std::sqrt(2.0 * layers);
  std::vector<NamedTensor> seen;
  for (const NamedTensor& x : parameters(model)) {
    const std::string what = who + x.name;
    gradus::must_be_finite(what, x.tensor);
    if (!x.tensor.requires_grad()) red(what, " does not require a gradient any more");
    const double got = root_mean_square(x.tensor);
    if (x.tensor.rank() != 2) {
      const bool gain = x.name.find("ln_") != std::string::npos && x.name.ends_with("weight");
      if (got != (gain ? 1 : 0)) {
        red(what, ": biases stay 0 and the gains of norms 1; draw the matrices alone");
      }
      continue;
    }
    const bool ends = x.name.ends_with("output.weight") || x.name.ends_with("c_proj.weight");
    const double expected = ends ? half : 0.02;
    if (!(std::abs(got / expected - 1) < 0.1)) {
      gradus::expect_number(what + ": the standard deviation", got, expected, 0);
    }
    double total = 0;
    for (const Scalar v : x.tensor) total += v;
    const double mean = total / static_cast<double>(x.tensor.size());
    if (std::abs(mean) > 0.2 * expected) red(what, ": the mean is not 0");
    const auto [low, high] = std::minmax_element(x.tensor.begin(), x.tensor.end());
    if (std::max(double{*high}, -double{*low}) < 2.2 * expected) {
      red(what, ": the largest number is too small\nlikely cause: these are not normal()'s");
    }
    for (const NamedTensor& other : seen) {
      if (other.tensor.data()[0] / other.tensor.data()[1] ==
          x.tensor.data()[0] / x.tensor.data()[1]) {
        red(what, " has the numbers of ", other.name,
            "\nlikely cause: one key for all; each matrix takes keys.next()");
      }
    }
    seen.push_back(x);
  }
  green(who, seen.size(), " matrices");
}

}  // namespace

CHECK_ANSWER() {
  check_layers(8, Position::kLearned);
  check_layers(1, Position::kLearned);
  check_layers(3, Position::kNone);
}
