#include "autograd/ops/token_shift.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/elementwise.h"

namespace gradus {
namespace {

/// The last `shifted` channels of row t come from row t - step of the same text, zeros where there
/// is none.
Tensor shift(const Tensor& x, Index shifted, Index step) {
  check(x.rank() >= 2 && shifted >= 0 && shifted <= x.size(-1),
        "token_shift: needs x [..., T, C] and at most C channels to shift, got x ", x.shape(),
        " and ", shifted, " channels");
  const Index time = x.size(-2);
  const Index channels = x.size(-1);
  const Index kept = channels - shifted;
  Tensor y(x.shape());
  const Index rows = x.size() / std::max<Index>(channels, 1);
  parallel_for(rows, kElementGrain / (channels + 1) + 1, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* from = x.data() + row * channels;
      Scalar* to = y.data() + row * channels;
      std::copy_n(from, kept, to);
      const Index source = row % time - step;
      if (source >= 0 && source < time) {
        std::copy_n(from - step * channels + kept, shifted, to + kept);
      } else {
        std::fill_n(to + kept, shifted, Scalar(0));
      }
    }
  });
  return record("token_shift", y, {x}, [shifted, step](const Tensor& dy) -> Gradients {
    return {shift(dy, shifted, -step)};
  });
}

}  // namespace

Tensor token_shift(const Tensor& x, Index shifted) { return shift(x, shifted, 1); }

}  // namespace gradus
