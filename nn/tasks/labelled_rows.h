/// @file
/// What tasks that label texts share, whatever model does it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nn/data/labelled.h"
#include "nn/tasks/guess.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// Labelled texts as a model reads them.
struct LabelledRows {
  std::vector<TokenRow> rows;        ///< the tokens of each
  std::vector<std::int32_t> labels;  ///< the label of each

  /// Some of the texts and their labels.
  struct Batch {
    std::vector<TokenRow> rows;  ///< B of them
    IndexTensor labels;          ///< [B]
  };

  /// Each text by what `read` makes of it.
  LabelledRows(const std::vector<LabelledText>& items,
               const std::function<TokenRow(const LabelledText&)>& read);
  /// Those that the key draws: see drawn_items().
  Batch drawn(const RandomKey& key, int batch_size) const;
  /// How many tokens so many rows hold on average.
  Index tokens_in(int batch_size) const;
};

/// What a model says of rows, a hundred at a time: `logits` takes B rows and gives [B, labels].
std::vector<Guess> guesses_of(const std::vector<TokenRow>& rows,
                              const std::function<Tensor(const std::vector<TokenRow>&)>& logits);

/// The first of these texts and what was said of them, for people; wrong ones with what is right.
std::string shown(const std::vector<LabelledText>& items, const std::vector<Guess>& guesses,
                  const std::vector<std::string>& labels);

/// @}

}  // namespace gradus
