/// @file
/// What a training run is told: flags, and nanoGPT's and our own defaults.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/program/flags.h"
#include "cli/run/own_text.h"
#include "nn/files/model_configs.h"
#include "nn/models/gpt.h"
#include "nn/optim/train_options.h"

namespace gradus {

/// Everything that `gradus train` can be told.
struct Settings {
  ModelKind kind = ModelKind::kGpt;
  bool has_prompts = false;                ///< whether a GPT learns to answer prompts, and no text
  std::string data;                        ///< a built-in set or a file; of a GPT, prompts
  std::int64_t examples = 0;               ///< the most to train on; 0 for all
  bool loss_on_prompt = false;             ///< whether a GPT learns the prompts too
  NormPlace norm_place = NormPlace::kPre;  ///< of models other than GPT
  std::string word_vectors;                ///< a file of them, for a classifier; empty for none
  bool freeze_vectors = false;             ///< whether they stay as they are
  Index patch = 7;                         ///< the side of an image's patches, in pixels
  GptConfig model;                         ///< the sizes of any model
  TrainOptions recipe;
  std::vector<std::string> texts;  ///< empty for the bundled fables
  bool keep_crlf = false;          ///< whether their line ends CR LF stay as they are
  std::string tokenizer = "char";
  int vocab_size = 0;       ///< 0 for the tokenizer's own
  std::string recipe_name;  ///< own, fast or nanogpt; empty for what goes with the text
  double minutes = 0;       ///< that the steps are to fit into; 0 if they are settled
  std::string config;       ///< a name out of nanoGPT's config/
  std::string init_from = "scratch";
  std::string out_dir = "out";
  std::string checkpoint = "last";
  std::string log;
  std::int64_t log_interval = 10;
  bool dry_run = false;
  bool profile = false;
  bool overwrite = false;
  bool yes = false;  ///< begins a long run without a question
};

/// Kinds of runs, as bits of Traits::of: each kind of model with its examples, and a GPT with a
/// text.
constexpr unsigned on_examples(ModelKind kind) { return 1U << static_cast<unsigned>(kind); }
inline constexpr unsigned kOnText = 1U << 31, kOnExamples = ~kOnText;
/// The bit of the run that these settings describe.
unsigned kind_of_run(const Settings& settings);

/// nanoGPT's train_shakespeare_char.
Settings nanogpt_defaults();
/// Our own: the soonest to the loss that nanoGPT's recipe for one CPU ends at.
Settings fast_defaults();
/// The same parts, larger, for the loss of nanoGPT's recipe for a GPU: in bfloat16 where the CPU
/// can.
Settings strong_defaults();
/// The same with more of all, for the bundled fables: ends within 90 seconds on two cores and
/// writes fables.
Settings fable_defaults();
/// The same in other sizes: for one's own text.
Settings own_defaults(const OwnSizes& sizes);

/// The minutes that a text of one's own is given unless others are asked for.
inline constexpr double kOwnMinutes = 2;

/// Those of a model that learns from examples, a GPT from prompts: a recipe that suits its built-in
/// data on two cores, in about a minute.
Settings task_defaults(ModelKind kind);

/// What the layers of an encoder or decoder are by these settings.
LayerOptions layer_options(const Settings& settings);
/// Takes them over from a checkpoint's.
void take_layer_options(Settings& settings, const LayerOptions& layer, int n_layer);

/// Binds all flags of `gradus train` to these settings.
void add_train_flags(Flags& flags, Settings& settings);
/// The settings whose values --help shows: those of the model, data and recipe that stand beside
/// it.
Settings settings_for_help(const Settings& given);

/// Those of them that any training on examples has: their number, the recipe, and what is shown and
/// kept on the way.
void add_examples_flags(Flags& flags, Settings& settings);
void add_recipe_flags(Flags& flags, Settings& settings);  ///< see add_examples_flags()
void add_run_flags(Flags& flags, Settings& settings);     ///< see add_examples_flags()

/// The highest rate for a model that others trained, as in Devlin and others (2019): what it has
/// learnt is soon lost at the rates that suit small models from nothing.
inline constexpr double kPretrainedRate = 5e-5;

/// What min_lr is unless it is given.
double following_floor(const TrainOptions& recipe);
/// Lets min_lr and lr_decay_iters follow from the others unless they are given.
void complete_schedule(const Flags& flags, Settings& settings);

}  // namespace gradus
