/// @file
/// The interface between a Trainer and a model with its training data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "autograd/kernels/philox.h"
#include "nn/data/corpus.h"
#include "nn/module.h"
#include "nn/optim/optimiser.h"

namespace gradus {

/// @addtogroup train
/// @{

/// One measure of how well a task is done.
struct Score {
  std::string name;  ///< "accuracy", "exact match"
  double value = 0;  ///< from 0 to 1; higher is better
};

/// Some rows of a batch, one after another.
struct RowRange {
  int first = 0;  ///< the number of the first
  int count = 0;  ///< how many
};

/// A mean of losses that other means are to be added to.
struct MeanLoss {
  Tensor mean;             ///< in nats
  double predictions = 0;  ///< how many losses it is the mean of
};

/// A model and its examples. The Trainer draws batches, steps and saves; everything specific to a
/// task, such as a GPT on a text or a translator on pairs, is here.
/// @code
/// struct Line final : Task {  // y = w x, which is 2 x
///   Tensor w = ones({1}).set_requires_grad(true);
///   std::vector<NamedTensor> parameters() override { return {{"w", w}}; }
///   Tensor loss(Split, int batch_size, const RandomKey& key) override {
///     const Tensor x = normal({batch_size}, key);
///     return mse_loss(w * x, 2 * x);
///   }
///   Index tokens_in(int batch_size) const override { return batch_size; }
///   void save(const std::filesystem::path&) override {}
/// };
/// Line line;
/// Trainer(line, {.max_iters = 100, .schedule = {.rate = 0.05}, .eval_iters = 1}, "").run({});
/// std::round(10 * line.w.item());  // 20
/// @endcode
class Task {
 public:
  virtual ~Task() = default;

  /// All parameters of the model, frozen ones too; handles.
  virtual std::vector<NamedTensor> parameters() = 0;

  /// Changes how the optimiser treats a parameter, for example the rate of a body below a new head:
  /// see Optimiser::set_rules(). By default it changes nothing. Asked of each trainable parameter
  /// when a Trainer begins, and so also before it resumes.
  virtual void set_rule([[maybe_unused]] const NamedTensor& parameter,
                        [[maybe_unused]] StepRule& rule) const {}

  /// The mean loss, in nats, of `batch_size` examples that the key draws from a split. The same key
  /// draws the same examples.
  virtual Tensor loss(Split split, int batch_size, const RandomKey& key) = 0;

  /// The loss of some rows of the batch that loss() has for the same key: the part that
  /// one of several Ranks computes if they divide a batch.
  /// @throws std::logic_error from tasks that have not implemented it.
  virtual MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                const RowRange& rows);

  /// How many batches of `batch_size` examples go once through all that is held out; 0 of a task
  /// whose held-out examples are only drawn.
  virtual std::int64_t held_out_batches([[maybe_unused]] int batch_size) const { return 0; }

  /// The loss of batch `i` of those; the last may be smaller. Over all of them, weighted by their
  /// predictions, the mean is the exact loss.
  /// @throws std::logic_error from tasks that have not implemented it.
  virtual MeanLoss held_out_loss(std::int64_t i, int batch_size);

  /// The approximate number of tokens in such a batch, to display.
  virtual Index tokens_in(int batch_size) const = 0;

  /// Measures on held-out examples, beyond the loss; none by default. Called after each evaluation,
  /// without recording.
  virtual std::vector<Score> scores() { return {}; }

  /// The same on all held-out examples, where scores() uses only some, and with a beam of this
  /// width if the model generates text.
  virtual std::vector<Score> scores_of_all([[maybe_unused]] int width) { return scores(); }

  /// The cost of scores(), counted in held-out examples of a loss(), for the plan of a run.
  virtual double scoring_examples() const { return 0; }

  /// A description of the data, for the plan of a run: "english-portuguese: 7,200 pairs to train
  /// on".
  virtual std::string describe() const { return ""; }

  /// A few lines that show the model's present skill; none by default.
  virtual std::string demonstrate() { return ""; }

  /// Writes everything the model consists of into a folder: parameters, configuration, tokenizer.
  /// @throws std::runtime_error naming the file and the system's reason.
  virtual void save(const std::filesystem::path& folder) = 0;
};

/// @}

}  // namespace gradus
