#include "nn/layers/rotary_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "autograd/check.h"
#include "autograd/ops/rotary.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// 0 up to `low`, 1 from `high` on, and linear between.
double ramp(double x, double low, double high) {
  constexpr double kLeast = 0.001;  // the paper's code avoids a division by 0 in this way
  return std::clamp((x - low) / std::max(high - low, kLeast), 0.0, 1.0);
}

/// The base that kDynamic uses for a text of this length.
double dynamic_base(const RotaryOptions& o, Index width, Index length) {
  if (length <= o.trained_length) {
    return o.base;
  }
  const double longer = static_cast<double>(length) / static_cast<double>(o.trained_length);
  const double d = static_cast<double>(width);
  return o.base * std::pow(o.factor * longer - (o.factor - 1), d / (d - 2));
}

/// Llama 3's frequency for the unscaled frequency f.
double llama3_frequency(const RotaryOptions& o, double f) {
  const double turns = static_cast<double>(o.trained_length) * f / kTurn;
  const double kept = std::clamp((turns - o.slow) / (o.fast - o.slow), 0.0, 1.0);
  return (1 - kept) * f / o.factor + kept * f;
}

/// YaRN: changes all frequencies by the ramp.
void scale_as_yarn(const RotaryOptions& o, Index width, std::vector<double>& frequencies) {
  const double d = static_cast<double>(width);
  // The channel pair that makes this number of turns in the trained length.
  const auto pair_of = [&](double turns) {
    return d * std::log(static_cast<double>(o.trained_length) / (turns * kTurn)) /
           (2 * std::log(o.base));
  };
  double low = pair_of(o.beta_fast), high = pair_of(o.beta_slow);
  if (o.whole_channels) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, d - 1);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double share = ramp(static_cast<double>(i), low, high);
    frequencies[i] *= share / o.factor + (1 - share);
  }
}

}  // namespace

void RotaryOptions::validate(Index width) const {
  check(base > 1 && std::isfinite(base), "rotary: the base must be above 1 and finite, got ", base,
        " (10000 is usual)");
  if (scaling == RotaryScaling::kNone) {
    return;
  }
  const char* name = name_of(scaling);
  check(factor >= 1 && std::isfinite(factor), "rotary: the factor of ", name,
        " scaling must be at least 1 and finite, got ", factor);
  check(scaling == RotaryScaling::kLinear || trained_length >= 1, "rotary: ", name,
        " scaling needs the length of texts in training, got ", trained_length);
  check(scaling != RotaryScaling::kDynamic || width > 2,
        "rotary: dynamic scaling needs heads of more than 2 channels, got ", width);
  check(scaling != RotaryScaling::kLlama3 || (slow > 0 && fast > slow && std::isfinite(fast)),
        "rotary: llama3 scaling needs limits with 0 < slow < fast, got ", slow, " and ", fast);
  check(scaling != RotaryScaling::kYarn ||
            (beta_slow > 0 && beta_fast >= beta_slow && std::isfinite(beta_fast)),
        "rotary: yarn scaling needs limits with 0 < beta_slow <= beta_fast, got ", beta_slow,
        " and ", beta_fast);
  check(attention_factor >= 0 && std::isfinite(attention_factor),
        "rotary: the attention factor must be finite and not negative, got ", attention_factor,
        " (0 stands for 0.1 ln factor + 1)");
}

std::vector<double> rotary_frequencies(const RotaryOptions& o, Index width, Index length) {
  o.validate(width);
  check(width >= 0 && width % 2 == 0, "rotary: needs heads of an even width, got ", width);
  const double base =
      o.scaling == RotaryScaling::kDynamic ? dynamic_base(o, width, length) : o.base;
  std::vector<double> frequencies;
  for (Index i = 0; i < width / 2; ++i) {
    const double f = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
    frequencies.push_back(o.scaling == RotaryScaling::kLinear   ? f / o.factor
                          : o.scaling == RotaryScaling::kLlama3 ? llama3_frequency(o, f)
                                                                : f);
  }
  if (o.scaling == RotaryScaling::kYarn) {
    scale_as_yarn(o, width, frequencies);
  }
  return frequencies;
}

Tensor rotary_table(Index positions, Index width, const RotaryOptions& options) {
  const bool is_yarn = options.scaling == RotaryScaling::kYarn;
  const double scale = !is_yarn                       ? 1
                       : options.attention_factor > 0 ? options.attention_factor
                                                      : 0.1 * std::log(options.factor) + 1;
  return rotary_table(positions, rotary_frequencies(options, width, positions), scale);
}

}  // namespace gradus
