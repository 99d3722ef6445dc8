#include "nn/tasks/translation_task.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "nn/data/scores.h"
#include "nn/files/checkpoint.h"
#include "nn/files/model_configs.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/special_tokens.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kScoredPairs = 200;  // held-out sentences, after each evaluation
constexpr double kWriting = 3;             // the cost of writing a text, in texts read; measured
constexpr std::size_t kTogether = 100;     // sentences that are translated at once
// A translation that exceeds every correct one by this many tokens is wrong, however it ends. A
// model that has not learned to end would go on to its last position.
constexpr Index kTooLong = 5;

Index longest_text(const Transformer& model) {
  return model.config.layer.max_length - 1;  // and a begin or an end
}

}  // namespace

Translator make_translator(std::shared_ptr<const Tokenizer> tokenizer, int n_layer,
                           const LayerOptions& layer, std::uint64_t seed) {
  const Index vocabulary = SpecialTokens(*tokenizer).vocab_size;
  return {
      Transformer(
          {.src_vocab = vocabulary, .trg_vocab = vocabulary, .n_layer = n_layer, .layer = layer},
          seed),
      std::move(tokenizer)};
}

Translator load_translator(const std::filesystem::path& folder) {
  const TransformerConfig config = load_transformer_config(folder);
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  check_vocabulary(folder, config.trg_vocab, *tokenizer);
  check_vocabulary(folder, config.src_vocab, *tokenizer);
  Translator translator{Transformer(config), std::move(tokenizer)};
  load_parameters(folder, parameters(translator.model));
  return translator;
}

void save_model(const std::filesystem::path& folder, const Translator& translator) {
  save_parameters(folder, parameters(translator.model));
  save_config(folder, translator.model.config);
  save_tokenizer(*translator.tokenizer, folder);
}

std::vector<std::string> translate(const Translator& translator,
                                   const std::vector<std::string>& sources, int width,
                                   Index max_tokens) {
  const SpecialTokens special(*translator.tokenizer);
  const Index longest = longest_text(translator.model);
  const WriteLimits limits{.end = special.end, .max_tokens = std::min(longest, max_tokens)};
  const std::size_t together = width > 1 ? 1 : kTogether;
  std::vector<std::string> targets;
  for (std::size_t first = 0; first < sources.size(); first += together) {
    std::vector<TokenRow> rows;
    for (std::size_t i = first; i < std::min(first + together, sources.size()); ++i) {
      rows.push_back(encoded(*translator.tokenizer, sources[i], longest));
      rows.back().push_back(special.end);
    }
    const IndexTensor src = padded(rows, special.pad);
    TransformerDecoding state(translator.model, src, padding_mask(src, special.pad), special.begin);
    if (width > 1) {
      const std::vector<Hypothesis> found = beam_search(state, limits, width);
      targets.push_back(decoded(*translator.tokenizer, found.front().tokens));
      continue;
    }
    for (const Hypothesis& target : greedy_search(state, limits)) {
      targets.push_back(decoded(*translator.tokenizer, target.tokens));
    }
  }
  return targets;
}

TranslationTask::TranslationTask(Translator translator, std::string name,
                                 DataSplit<SentencePair> data, Scalar label_smoothing)
    : ExamplesTask(std::move(translator), std::move(name)),
      special_(*model_.tokenizer),
      data_(std::move(data)),
      label_smoothing_(label_smoothing),
      train_(encode(data_.train)),
      held_out_(encode(data_.held_out)) {
  check(!train_.empty() && !held_out_.empty(),
        "translation: needs pairs to train on and held out, got ", train_.size(), " and ",
        held_out_.size());
  for (const Encoded& pair : train_) {
    mean_tokens_ += static_cast<double>(pair.source.size() + pair.targets.front().size());
  }
  mean_tokens_ /= static_cast<double>(train_.size());
  for (const Encoded& pair : held_out_) {
    for (const TokenRow& target : pair.targets) {
      most_tokens_ = std::max(most_tokens_, std::ssize(target) + kTooLong);
    }
  }
}

std::vector<TranslationTask::Encoded> TranslationTask::encode(
    const std::vector<SentencePair>& pairs) const {
  const auto tokens = [&](const std::string& text) {
    return encoded(*model_.tokenizer, text, longest_text(model_.model));
  };
  std::vector<Encoded> all;
  for (const SentencePair& pair : pairs) {
    Encoded& to = all.emplace_back();
    to.source = tokens(pair.source);
    to.source.push_back(special_.end);
    for (const std::string& target : pair.targets) {
      to.targets.push_back(tokens(target));
    }
  }
  return all;
}

MeanLoss TranslationTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                       const RowRange& part) {
  const std::vector<Encoded>& pairs = split == Split::kVal ? held_out_ : train_;
  std::vector<TokenRow> sources, inputs, targets;
  Index draw = batch_size + part.first;  // after the draws of the items
  const std::vector<std::size_t> drawn = sample_indices(key, batch_size, pairs.size());
  for (const std::size_t i : rows_of(drawn, part)) {
    const std::vector<TokenRow>& right = pairs[i].targets;
    const auto chosen = uniform_index(key, draw++, std::ssize(right));
    sources.push_back(pairs[i].source);
    targets.push_back(right[static_cast<std::size_t>(chosen)]);
    inputs.push_back(targets.back());
    inputs.back().insert(inputs.back().begin(), special_.begin);
    targets.back().push_back(special_.end);
  }
  const IndexTensor src = padded(sources, special_.pad);
  profile_mark("batch");
  const Tensor logits =
      model_.model(src, padded(inputs, special_.pad), padding_mask(src, special_.pad));
  const IndexTensor wanted = padded(targets, kIgnoreIndex);
  return {cross_entropy(logits, wanted,
                        {.ignore_index = kIgnoreIndex,
                         .label_smoothing = Training::active() ? label_smoothing_ : Scalar(0)}),
          targets_in(wanted)};
}

Index TranslationTask::tokens_in(int batch_size) const {
  return static_cast<Index>(batch_size * mean_tokens_);
}

std::vector<Score> TranslationTask::scores() { return scored(kScoredPairs, 1); }

double TranslationTask::scoring_examples() const {
  return kWriting * static_cast<double>(std::min(kScoredPairs, data_.held_out.size()));
}

std::vector<Score> TranslationTask::scores_of_all(int width) {
  return scored(data_.held_out.size(), width);
}

std::vector<Score> TranslationTask::scored(std::size_t count, int width) const {
  std::vector<std::string> sources;
  References references;
  for (const SentencePair& pair : first_of(data_.held_out, count)) {
    sources.push_back(pair.source);
    references.push_back(pair.targets);
  }
  const std::vector<std::string> written = translate(model_, sources, width, most_tokens_);
  return {{"exact match", exact_match(written, references)},
          {"BLEU", corpus_bleu(written, references).score}};
}

std::string TranslationTask::describe() const {
  return counted_as("pairs", train_.size(), held_out_.size());
}

std::string TranslationTask::demonstrate() {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> sources;
  for (const SentencePair& pair : first_of(data_.held_out, kShown)) {
    sources.push_back(pair.source);
  }
  const std::vector<std::string> written = translate(model_, sources, 1, most_tokens_);
  std::string lines;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::vector<std::string>& right = data_.held_out[i].targets;
    const bool is_right = std::ranges::find(right, written[i]) != right.end();
    lines += shown_answer(sources[i], " " + written[i], " " + (is_right ? written[i] : right[0]));
  }
  return lines;
}

}  // namespace gradus
