/// @file
/// The subject of a run: a task, with the plan and the lines that a command shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/run/plan.h"
#include "cli/run/progress.h"
#include "cli/tasks/settings.h"
#include "nn/data/corpus.h"
#include "nn/models/gpt.h"
#include "nn/text/tokenizer.h"
#include "nn/train/exact_loss.h"
#include "nn/train/task.h"
#include "nn/train/trainer.h"

namespace gradus {

/// A task with the plan and the lines that commands show. All ranks make one; only the first
/// measures.
class Subject {
 public:
  virtual ~Subject() = default;

  virtual Task& task() = 0;

  /// The plan of a run that has done `done` steps. Sets those values of the recipe that depend on
  /// the measured time of a step.
  virtual Plan plan(std::int64_t done) = 0;
  /// Prints the part of a plan that differs between subjects.
  virtual void show(Display& display, const Plan& plan, std::int64_t done) const = 0;
  /// The command that repeats the run; empty if it is the command that began the run.
  virtual std::string again() { return ""; }
  /// The way to a shorter run: "pass fewer --minutes".
  virtual std::string shorter(const Plan& plan) const = 0;

  /// The mean bytes of text per token; 0 without a text.
  virtual BytesPerToken bytes_per_token() const { return {}; }
  /// The loss of a model that finds every token equally likely; 0 for one without a vocabulary.
  virtual double loss_of_nothing() const { return 0; }
  /// The number of examples in an evaluation: "estimated on 640 examples".
  virtual std::string evaluated_on() const = 0;
  /// The exact loss of the best checkpoint on all held-out data; nullopt if that takes too long or
  /// a signal stopped it.
  virtual std::optional<ExactLoss> exact_loss_of_best(Display&) { return std::nullopt; }

  /// A few lines that show the model's skill after this number of steps.
  virtual std::string sample(std::int64_t step) = 0;
  /// Shows the best model's skill at the end, on standard output.
  virtual void finale() = 0;
  /// The command that shows more of it: "sample".
  virtual const char* command() const = 0;
};

/// The text, tokenizer and model for a GPT that trains on a text.
struct TextParts {
  Text text;
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<Gpt> model;        ///< empty if a new one is to be made
  bool is_bundled = false;           ///< whether the text is a bundled one
  std::filesystem::path begun_from;  ///< a model's folder, if a new run begins from one
  bool resumed = false;              ///< whether the run is resumed
  double reference_steps = 0;        ///< that fit into an own recipe's time: see own_sizes()
};

/// A GPT with a text. The flags and the settings, which they are bound to, must outlive it.
/// @throws std::invalid_argument if the text is too short.
std::unique_ptr<Subject> text_subject(const Flags& flags, Settings& settings, TextParts parts);

/// Any task with examples. The settings must outlive it.
/// @throws std::invalid_argument if the settings suit a text alone.
std::unique_ptr<Subject> examples_subject(const Settings& settings, std::unique_ptr<Task> task);

}  // namespace gradus
