/// @file
/// The settings of a training run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nn/files/model_configs.h"
#include "nn/models/gpt.h"
#include "nn/optim/train_options.h"

namespace gradus {

/// All options of `gradus train`.
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
  std::vector<std::string> texts;  ///< empty for the bundled tales
  bool keep_crlf = false;          ///< whether their line ends CR LF stay as they are
  std::string tokenizer = "char";
  int vocab_size = 0;       ///< 0 for the tokenizer's own
  std::string recipe_name;  ///< own, fast, strong or nanogpt; empty for what goes with the text
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

/// Kinds of runs, as bits: each kind of model with its examples, and a GPT with a text.
constexpr unsigned on_examples(ModelKind kind) { return 1U << static_cast<unsigned>(kind); }
/// The kind of model that a flag for these runs is for, if it is for one kind on examples alone.
std::optional<ModelKind> only_kind(unsigned runs);
inline constexpr unsigned kOnText = 1U << 31, kOnExamples = ~kOnText;
/// The bit of the run that these settings describe.
unsigned kind_of_run(const Settings& settings);

/// Whether the text is the bundled tales, named or by default.
bool reads_tales(const Settings& settings);

/// The layers of an encoder or decoder with these settings.
LayerOptions layer_options(const Settings& settings);
/// Takes them over from a checkpoint's.
void take_layer_options(Settings& settings, const LayerOptions& layer, int n_layer);

}  // namespace gradus
