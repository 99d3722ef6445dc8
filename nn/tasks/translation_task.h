/// @file
/// A Transformer trained to translate, from pairs of sentences.
#pragma once

#include <limits>
#include <memory>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/generate/search.h"
#include "nn/models/transformer.h"
#include "nn/tasks/examples_task.h"
#include "nn/tasks/rows.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A trained translator. One tokenizer serves both languages.
struct Translator {
  Transformer model;                           ///< SpecialTokens::vocab_size tokens on both sides
  std::shared_ptr<const Tokenizer> tokenizer;  ///< for both languages
};

/// An untrained translator with a tokenizer's vocabulary on both sides.
/// @throws std::invalid_argument if the options are invalid.
Translator make_translator(std::shared_ptr<const Tokenizer> tokenizer, int n_layer,
                           const LayerOptions& layer, std::uint64_t seed);

/// Reads a translator from a checkpoint folder.
/// @throws std::runtime_error naming the file and the missing or wrong part.
Translator load_translator(const std::filesystem::path& folder);
/// Writes a translator into a folder, as load_translator() reads it.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const Translator& translator);

/// As many tokens as the model has positions for.
inline constexpr Index kNoLimit = std::numeric_limits<Index>::max();

/// The translations of some texts, by beam search, or greedily in batches for a width of 1. A
/// translation that does not end is cut off at `max_tokens`, or at the model's last position.
/// @throws std::invalid_argument naming a text that is too long or that the tokenizer cannot
/// express.
std::vector<std::string> translate(const Translator& translator,
                                   const std::vector<std::string>& sources, int width = 1,
                                   Index max_tokens = kNoLimit);

/// Trains a translator with teacher forcing (Williams and Zipser, 1989): at each position it
/// predicts the next token of a correct translation, given the tokens before it. Of several
/// translations, one is drawn each time.
/// @code
/// const auto tokenizer = std::make_shared<WordTokenizer>(
///     WordTokenizer::learn("the cat\nthe dog\no gato\no cão", 20));
/// const LayerOptions layer{.d_model = 16, .num_heads = 2, .dropout = 0, .max_length = 16};
/// TranslationTask task(make_translator(tokenizer, 1, layer, 1), "animals",
///                      {{{"the cat", {"o gato"}}, {"the dog", {"o cão"}}}, {{"cat", {"gato"}}}});
/// Trainer(task, {.max_iters = 150, .schedule = {.rate = 0.03}, .eval_iters = 1}, "").run({});
/// translate(task.model(), {"the dog"});  // ["o cão"]
/// @endcode
class TranslationTask final : public ExamplesTask<Translator> {
 public:
  /// @param name of the data set, shown to the user.
  /// @param label_smoothing of the training loss: see cross_entropy().
  /// @throws std::invalid_argument naming a sentence that is too long for the model, or if there
  /// are no pairs to train on or none held out.
  TranslationTask(Translator translator, std::string name, DataSplit<SentencePair> data,
                  Scalar label_smoothing = Scalar(0.1));

  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  Index tokens_in(int batch_size) const override;
  /// Exact match and BLEU of up to 200 held-out sentences, translated greedily.
  std::vector<Score> scores() override;
  double scoring_examples() const override;
  std::vector<Score> scores_of_all(int width) override;
  std::string describe() const override;
  /// The first held-out sentences, with the model's translations.
  std::string demonstrate() override;

 private:
  struct Encoded {
    TokenRow source;
    std::vector<TokenRow> targets;
  };
  std::vector<Encoded> encode(const std::vector<SentencePair>& pairs) const;
  std::vector<Score> scored(std::size_t count, int width) const;

  SpecialTokens special_;
  DataSplit<SentencePair> data_;
  Scalar label_smoothing_;
  std::vector<Encoded> train_, held_out_;
  double mean_tokens_ = 0;  // tokens per pair
  Index most_tokens_ = 0;   // the most tokens generated for a translation to be scored
};

/// @}

}  // namespace gradus
