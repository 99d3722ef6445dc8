/// @file
/// The settings of a training run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/program/flags.h"
#include "nn/files/model_configs.h"
#include "nn/layers/lora.h"
#include "nn/models/gpt.h"
#include "nn/optim/train_options.h"

namespace gradus {

/// All options of `gradus train`.
struct Settings {
  ModelKind kind = ModelKind::kGpt;
  bool has_prompts = false;                ///< whether a GPT learns to answer prompts, not a text
  std::string data;                        ///< a built-in set or a file; for a GPT, prompts
  std::int64_t examples = 0;               ///< the most to train on; 0: all
  bool loss_on_prompt = false;             ///< whether a GPT learns the prompts too
  Scalar dpo = 0;                          ///< beta for preferences; 0: answers are learnt
  NormPlace norm_place = NormPlace::kPre;  ///< for models other than GPT
  std::string word_vectors;                ///< a file of word vectors, for a classifier
  bool freeze_vectors = false;             ///< whether training leaves these vectors unchanged
  Index patch = 7;                         ///< the side of an image's patches, in pixels
  Index lora = 0;  ///< the rank of the adapter that is trained; 0: the model is trained
  Scalar lora_alpha = LoraOptions{}.alpha;  ///< the adapter's product is multiplied by alpha / rank
  GptConfig model;                          ///< the sizes of any model
  TrainOptions recipe;
  std::vector<std::string> texts;  ///< empty for the bundled tales
  bool keep_crlf = false;          ///< whether line ends CR LF of these texts stay unchanged
  std::string tokenizer = "char";
  int vocab_size = 0;       ///< 0: the tokenizer's default
  std::string recipe_name;  ///< own, fast, strong or nanogpt; empty: the text's default
  double minutes = 0;       ///< the time for the steps; 0 if their number is given
  std::string config;       ///< the name of a file in nanoGPT's config/
  std::string init_from = "scratch";
  std::string out_dir = "out";
  std::string checkpoint = "last";
  std::string log;
  std::int64_t log_interval = 10;
  bool dry_run = false;
  bool profile = false;
  bool overwrite = false;
  bool yes = false;  ///< begins a long run without asking
};

/// Kinds of runs, as bits: one bit for each kind of model with examples, and one for a GPT on a
/// text.
constexpr unsigned on_examples(ModelKind kind) { return 1U << static_cast<unsigned>(kind); }
/// The kind of model for a flag of these runs, if the flag is only for one kind on examples.
std::optional<ModelKind> only_kind(unsigned runs);
inline constexpr unsigned kOnText = 1U << 31, kOnExamples = ~kOnText;
/// The bit of the run that these settings describe.
unsigned kind_of_run(const Settings& settings);
/// Refuses flags for one kind of model that were given for another.
/// @throws std::invalid_argument naming the first such flag.
void check_owners(const Flags& flags, ModelKind kind);

/// The built-in set of preferences.
inline constexpr const char* kPreferences = "preferences";
/// The beta with which a GPT learns preferences; 0 if it learns answers. The built-in set needs no
/// --dpo.
Scalar beta_of(const Settings& settings);

/// Whether the text is the bundled tales, named or by default.
bool reads_tales(const Settings& settings);

/// The layers of an encoder or decoder with these settings.
LayerOptions layer_options(const Settings& settings);
/// Copies these settings from a checkpoint.
void take_layer_options(Settings& settings, const LayerOptions& layer, int n_layer);

}  // namespace gradus
