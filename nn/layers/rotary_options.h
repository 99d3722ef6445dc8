/// @file
/// The frequencies of rotary positions, and how they change for longer texts.
#pragma once

#include <array>
#include <vector>

#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup layers
/// @{

/// How the frequencies of rotary positions change for texts that are s times as long as the texts
/// in training.
enum class RotaryScaling {
  kNone,     ///< unchanged
  kLinear,   ///< all are divided by s: Chen and others, "Extending context window of large language
             ///< models via position interpolation", 2023
  kDynamic,  ///< beyond the trained length, the base grows with the length of the text: bloc97's
             ///< rule of 2023, described in the YaRN paper
  kLlama3,   ///< slow frequencies are divided by s, fast ones stay, and between both a mixture is
             ///< used that depends on the number of turns: "The Llama 3 herd of models", 2024, and
             ///< its code
  kYarn,     ///< the same, except that the share follows the number of the channel, and that scores
             ///< grow: Peng and others, "YaRN: efficient context window extension of large language
             ///< models", 2023. (The paper's text uses the number of turns, its code the channel.)
};
/// The names of the values in files: Hugging Face's.
constexpr std::array<const char*, 5> names_of(RotaryScaling) {
  return {"default", "linear", "dynamic", "llama3", "yarn"};
}

/// The options of rotary positions.
/// @code
/// const RotaryOptions options{.scaling = RotaryScaling::kLinear, .factor = 2};
/// rotary_table(2, 2, options);  // [[1, 0], [0.8776, 0.4794]]
/// @endcode
struct RotaryOptions {
  double base = 10000;                           ///< see rotary_table()
  RotaryScaling scaling = RotaryScaling::kNone;  ///< how the frequencies change
  double factor = 1;         ///< s: how much longer texts may be than in training
  Index trained_length = 0;  ///< the length of texts in training; not for kNone and kLinear
  double slow = 1;  ///< kLlama3: the turns within trained_length below which a frequency is slow
  double fast = 4;  ///< kLlama3: the turns above which it is fast
  double beta_slow = 1;         ///< kYarn: the same as `slow`
  double beta_fast = 32;        ///< kYarn: the same as `fast`
  bool whole_channels = true;   ///< kYarn: whether the limits are rounded to whole channels
  double attention_factor = 0;  ///< kYarn: factor on cosines and sines; 0: 0.1 ln s + 1

  /// Checks the options for heads of this width.
  /// @throws std::invalid_argument naming the option.
  void validate(Index width) const;
  /// Whether the frequencies for a text of this length differ from the frequencies for shorter
  /// texts.
  bool changes_at(Index length) const {
    return scaling == RotaryScaling::kDynamic && length > trained_length;
  }

  /// Names each field as in config.json.
  void fields(auto&& f) {
    f("rotary_base", base);
    f("rotary_scaling", scaling);
    f("rotary_factor", factor);
    f("rotary_trained_length", trained_length);
    f("rotary_slow", slow);
    f("rotary_fast", fast);
    f("rotary_beta_slow", beta_slow);
    f("rotary_beta_fast", beta_fast);
    f("rotary_whole_channels", whole_channels);
    f("rotary_attention_factor", attention_factor);
  }
};

/// The frequencies for heads of this even width, width / 2 numbers. Only kDynamic depends on
/// `length`, the number of positions in the text.
std::vector<double> rotary_frequencies(const RotaryOptions& options, Index width, Index length = 0);

/// The rotary_table() for these options, [positions, width]. With kDynamic, uses the
/// frequencies for a text of `positions` tokens.
Tensor rotary_table(Index positions, Index width, const RotaryOptions& options);

/// @}

}  // namespace gradus
