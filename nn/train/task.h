/// @file
/// What a Trainer trains: a model together with what it is taught.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "autograd/kernels/philox.h"
#include "nn/data/corpus.h"
#include "nn/module.h"

namespace gradus {

/// @addtogroup train
/// @{

/// How well a task is done, by a measure of its own.
struct Score {
  std::string name;  ///< "accuracy", "exact match"
  double value = 0;  ///< a share, from 0 to 1; higher is better
};

/// A model and its examples. The Trainer draws batches, steps and saves; everything that differs
/// between a GPT on a text and a translator on pairs is here.
class Task {
 public:
  virtual ~Task() = default;

  /// All parameters of the model, also those that learn nothing; handles.
  virtual std::vector<NamedTensor> parameters() = 0;

  /// The mean loss, in nats, of `batch_size` examples that the key draws from a split. The same key
  /// draws the same examples.
  virtual Tensor loss(Split split, int batch_size, const RandomKey& key) = 0;

  /// About how many tokens such a batch holds: for display.
  virtual Index tokens_in(int batch_size) const = 0;

  /// Measures of the held-out examples, beyond the loss; none by default. Called after each
  /// evaluation, without recording.
  virtual std::vector<Score> scores() { return {}; }

  /// The same of all held-out examples, where scores() takes some, and by a beam of this width
  /// where the model writes.
  virtual std::vector<Score> scores_of_all([[maybe_unused]] int width) { return scores(); }

  /// What it learns from, for the plan of a run: "english-portuguese: 7,200 pairs to train on".
  virtual std::string describe() const { return ""; }

  /// A few lines that show what the model can do by now; none by default.
  virtual std::string demonstrate() { return ""; }

  /// Writes what makes the model whole into a folder: parameters, configuration, tokenizer.
  /// @throws std::runtime_error naming the file and the system's reason.
  virtual void save(const std::filesystem::path& folder) = 0;
};

/// @}

}  // namespace gradus
