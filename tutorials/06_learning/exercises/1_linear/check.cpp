#include "tutorials/common/check.h"

#include "pocket/learn.h"

using gradus::green, gradus::red;
using namespace pocket;

namespace {

double spread(const Tensor& x) { return std::sqrt(double(mean(x * x).item())); }

}  // namespace

CHECK_ANSWER() {
  for (const auto& [in, out] : {std::pair<Index, Index>{100, 30}, {30, 100}, {400, 7}, {2000, 3}}) {
    KeySequence keys(5);
    const Linear layer(in, out, keys);
    const std::string name = "Linear(" + std::to_string(in) + ", " + std::to_string(out) + ")";
    if (!layer.weight.defined()) red(name, ": the weight was never set");
    if (layer.weight.shape() != Shape{in, out}) {
      red(name, ": ", gradus::shape_got(layer.weight), "\nlikely cause: the weight is [in, out]");
    }
    gradus::must_be_finite(name, layer.weight);
    const double right = 1 / std::sqrt(double(in)), got = spread(layer.weight);
    if (!(std::abs(got / right - 1) < 0.1)) {
      gradus::expect_number(name + ": the weights' spread", got, right, 0,
                            "the scale is 1 / sqrt(in)");
    }
    if (!layer.weight.requires_grad()) red(name, ": the weight collects no gradient");
    if (!layer.bias.defined()) red(name, ": the bias was never set");
    if (layer.bias.shape() != Shape{out}) red(name, ": the bias must be [out]");
    if (spread(layer.bias) > 0) red(name, ": the bias starts at 0");
    if (!layer.bias.requires_grad()) red(name, ": the bias collects no gradient");
    KeySequence expected_keys(5);
    expected_keys.next();
    const auto after = keys.key, wanted = expected_keys.key;
    if (after.place > wanted.place || after.step != wanted.step || after.seed != wanted.seed) {
      red(name, ": more than one key was taken\nlikely cause: zeros need no key");
    }
    const Linear next(in, out, keys);
    if (std::equal(next.weight.begin(), next.weight.end(), layer.weight.begin())) {
      red(name, ": two layers start with the same weights\nlikely cause: each takes the next key");
    }
    if (Linear(in, out, keys, false).bias.defined()) red(name, ": with_bias is false");
    green(name);
  }
}
