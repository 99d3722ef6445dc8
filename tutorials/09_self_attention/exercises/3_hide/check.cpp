#include "autograd/ops/attention.h"
#include "pocket/attention.h"
#include "tutorials/common/guards.h"

using namespace gradus;

namespace {

const std::vector<std::int32_t> kVisible = {1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};  // [3, 4]

pocket::Tensor own(const Tensor& x) {
  return pocket::tensor(pocket::Shape(x.shape().begin(), x.shape().end()), {x.begin(), x.end()});
}

}  // namespace

int main() {
  return run_check([] {
    const pocket::IndexTensor mask({3, 4}, kVisible);
    IndexTensor same({3, 4});
    for (Index i = 0; i < 12; ++i) {
      same.mutable_data()[i] = kVisible[static_cast<std::size_t>(i)];
    }
    for (const Scalar scale : {1, 100}) {
      const Tensor q = normal({3, 4}, {.seed = 1}, 0, scale), k = normal({4, 4}, {.seed = 2});
      const std::string what =
          "weights under a mask, scores of about " + std::to_string(int(scale));
      expect(what, as_library(pocket::attention_weights(own(q), own(k), {.mask = mask})),
             attention_weights(q, k, {.mask = same}));
    }
  });
}
