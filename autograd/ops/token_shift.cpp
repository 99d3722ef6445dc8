#include "autograd/ops/token_shift.h"

#include <algorithm>
#include <vector>

#include "autograd/check.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/two_paths.h"
#include "autograd/ops/views.h"

namespace gradus {
using namespace detail;
namespace {

/// The direction in time: later or earlier.
enum class Direction : Index { kLater = 1, kEarlier = -1 };

Tensor shift(const Tensor& x, const ShiftWidths& widths, Direction direction) {
  const Index time = x.size(-2), channels = x.size(-1);
  const Index rows = x.size() / std::max<Index>(channels, 1);
  Tensor y(x.shape());
  parallel_for(rows, row_grain(channels), [&, out = y.mutable_data()](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* from = x.data() + row * channels;
      Scalar* to = out + row * channels;
      Index step = 0;
      for (const Index width : widths) {
        const Index source = row % time - step;
        if (source >= 0 && source < time) {
          std::copy_n(from - step * channels, width, to);
        } else {
          std::fill_n(to, width, Scalar(0));
        }
        from += width;
        to += width;
        step += static_cast<Index>(direction);
      }
    }
  });
  const Direction back = direction == Direction::kLater ? Direction::kEarlier : Direction::kLater;
  return record("token_shift", y, {x},
                [widths, back](const Tensor& dy) { return shift(dy, widths, back); });
}

}  // namespace

ShiftWidths halving_widths(Index channels) {
  check(channels >= 0, "halving_widths: channels must not be negative, got ", channels);
  const Index one = channels / 4, two = channels / 8, three = channels / 8;
  return {channels - one - two - three, one, two, three};
}

Tensor token_shift(const Tensor& x, const ShiftWidths& widths) {
  require_defined("token_shift", {{"x", x}});
  bool fits = x.rank() >= 2;
  Index left = fits ? x.size(-1) : 0;  // not the sum of the widths, which may overflow
  for (const Index width : widths) {
    fits = fits && width >= 0 && width <= left;
    left -= fits ? width : 0;
  }
  fits = fits && left == 0;
  check(fits, "token_shift: needs x [..., T, C] and widths with sum C, got x ", x.shape(),
        " and widths ", widths[0], ", ", widths[1], ", ", widths[2], ", ", widths[3]);
  if (uses_fused()) {
    return shift(x, widths, Direction::kLater);
  }
  std::vector<Tensor> parts = split_sizes(x, widths, -1);
  for (std::size_t step = 0; step < parts.size(); ++step) {  // adds zeros before, cuts the end
    const auto late = pad(parts[step], -2, static_cast<Index>(step), 0);
    parts[step] = slice(late, -2, 0, x.size(-2));
  }
  return concat(parts, -1);
}

Tensor cached_token_shift(const Tensor& x, const ShiftWidths& widths, Tensor& before) {
  require_defined("cached_token_shift", {{"x", x}, {"before", before}});
  const Index reach = std::ssize(widths) - 1;
  check(x.rank() == 3 && before.shape() == Shape{x.size(0), reach, x.size(2)},
        "cached_token_shift: needs x [B, T, C] and before [B, ", reach, ", C], got ", x.shape(),
        " and ", before.shape());
  const NoGrad no_grad;
  const Tensor all = concat({before, x}, 1);
  std::ranges::copy(slice(all, 1, -reach), before.mutable_data());
  return slice(token_shift(all, widths), 1, reach);
}

}  // namespace gradus
