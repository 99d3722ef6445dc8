#include "nn/tasks/masked_word_task.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "autograd/ops/softmax.h"
#include "nn/text/byte_pair_tokenizer.h"
#include "nn/text/special_tokens.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kScoredRows = 256, kSideBySide = 64;
constexpr std::uint64_t kScoring = 0x5c07e;  // the seed of the positions that scores() masks

/// Checks a row of logits of words, before words are ranked by it.
void require_logits(const Tensor& logits, Index row) {
  const auto width = static_cast<std::size_t>(logits.size(-1));
  require_numbers("the logits of the words", {logits.data() + row * logits.size(-1), width});
}

/// The token whose number in the row is the largest of these tokens'.
std::int32_t most_probable_of(const Scalar* row, const std::vector<std::int32_t>& tokens) {
  return *std::ranges::max_element(tokens, {}, [&](std::int32_t token) { return row[token]; });
}

/// Words as shown to the user, on one line.
std::string on_one_line(std::string words) {
  std::ranges::replace(words, '\n', ' ');
  return words;
}

}  // namespace

BertModel make_bert(std::shared_ptr<const Tokenizer> tokenizer, int n_layer,
                    const LayerOptions& layer, std::uint64_t seed) {
  // The special tokens are among the byte pairs' own, so that other programs read them.
  if (const auto* bytes = dynamic_cast<const BytePairTokenizer*>(tokenizer.get());
      bytes != nullptr && !bytes->frame_tokens()) {
    tokenizer = std::make_shared<BytePairTokenizer>(with_frame_tokens(bytes->pairs()));
  }
  const Index vocabulary = SpecialTokens(*tokenizer).vocab_size;
  return {Bert({.vocab_size = vocabulary, .n_layer = n_layer, .layer = layer}, seed),
          std::move(tokenizer)};
}

TokenRow bert_row(const BertModel& bert, const std::string& text) {
  const SpecialTokens special(*bert.tokenizer);
  TokenRow row = encoded(*bert.tokenizer, text, std::numeric_limits<Index>::max());
  const Index longest = bert.model.config.layer.max_length - 2;
  row.resize(static_cast<std::size_t>(std::min(std::ssize(row), std::max<Index>(0, longest))));
  row.insert(row.begin(), special.begin);
  row.push_back(special.end);
  return row;
}

std::vector<std::int32_t> maskable_tokens(const Tokenizer& tokenizer) {
  std::vector<std::int32_t> tokens;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    if (!tokenizer.is_special(token)) {
      tokens.push_back(token);
    }
  }
  return tokens;
}

std::vector<std::vector<TokenPrediction>> predict_masked(const BertModel& bert, const TokenRow& row,
                                                         std::size_t count) {
  check(bert.fills_masks, "bert: has no head for masked words (train it on labels)");
  const NoGrad no_grad;
  const SpecialTokens special(*bert.tokenizer);
  const Tensor logits = bert.model.word_logits(bert.model.features(padded({row}, special.pad)));
  const Tensor p = softmax(logits);
  const std::vector<std::int32_t> tokens = maskable_tokens(*bert.tokenizer);
  std::vector<std::vector<TokenPrediction>> all;
  for (std::size_t place = 0; place < row.size(); ++place) {
    if (row[place] != special.mask) {
      continue;
    }
    require_logits(logits, static_cast<Index>(place));
    const Scalar* at = p.data() + static_cast<Index>(place) * special.vocab_size;
    std::vector<TokenPrediction>& predictions = all.emplace_back();
    for (const std::int32_t token : tokens) {
      predictions.push_back({token, static_cast<double>(at[token])});
    }
    const std::size_t kept = std::min(count, predictions.size());
    std::ranges::partial_sort(predictions, predictions.begin() + static_cast<Index>(kept),
                              std::ranges::greater(), &TokenPrediction::probability);
    predictions.resize(kept);
  }
  return all;
}

MaskedWordTask::MaskedWordTask(BertModel bert, std::string name, DataSplit<TokenRow> texts)
    : ExamplesTask(std::move(bert), std::move(name)),
      special_(*model_.tokenizer),
      masking_{.words = maskable_tokens(*model_.tokenizer), .mask = special_.mask},
      train_(checked(std::move(texts.train), "to train on")),
      held_out_(checked(std::move(texts.held_out), "held out")) {
  // Counts runs of words, so that the baselines never predict tokens that are never masked.
  const auto is_word = [&](std::int32_t token) {
    return std::ranges::binary_search(masking_.words, token);
  };
  for (const TokenRow& row : train_.rows) {
    for (auto at = row.begin(); at != row.end();) {
      const auto first = std::find_if(at, row.end(), is_word);
      at = std::find_if_not(first, row.end(), is_word);
      neighbours_.observe({first, at});
    }
  }
}

MaskedWordTask::Texts MaskedWordTask::checked(std::vector<TokenRow> rows, const char* part) const {
  check(model_.model.config.layer.max_length >= 3, name_,
        ": a row must have room for [CLS], a word and [SEP] (choose a larger --block_size)");
  std::erase_if(rows, [&](const TokenRow& row) {
    return std::ranges::none_of(
        row, [&](std::int32_t token) { return std::ranges::binary_search(masking_.words, token); });
  });
  check(!rows.empty(), name_, ": no text with words is left ", part, " (use a longer text)");
  Texts texts{std::move(rows), {}};
  Index end = 0;
  for (const TokenRow& row : texts.rows) {
    texts.ends.push_back(end += std::ssize(row));
  }
  return texts;
}

TokenRow MaskedWordTask::framed(std::span<const std::int32_t> words) const {
  TokenRow row{special_.begin};
  row.insert(row.end(), words.begin(), words.end());
  row.push_back(special_.end);
  return row;
}

IndexTensor MaskedWordTask::drawn_rows(const Texts& texts, int count, const RandomKey& key) const {
  const Index longest = model_.model.config.layer.max_length - 2;
  std::vector<TokenRow> rows;
  for (Index i = 0; i < count; ++i) {
    // A random token of all selects its text. Then a part of the text is drawn.
    const auto text =
        std::ranges::upper_bound(texts.ends, uniform_index(key, 2 * i, texts.tokens())) -
        texts.ends.begin();
    const TokenRow& all = texts.rows[static_cast<std::size_t>(text)];
    const Index length = std::min(longest, std::ssize(all));
    const Index first = uniform_index(key, 2 * i + 1, std::ssize(all) - length + 1);
    rows.push_back(framed(
        std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length))));
  }
  return padded(rows, special_.pad);
}

MeanLoss MaskedWordTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                      const RowRange& part) {
  const Texts& texts = split == Split::kVal ? held_out_ : train_;
  const IndexTensor rows = drawn_rows(texts, batch_size, key);
  // A stream apart from the stream of the rows: no position in a batch draws the same numbers
  // twice.
  const RandomKey mask_key{~key.seed, key.step, key.place};
  const auto [inputs, targets] = mask_words(rows, masking_, mask_key);
  profile_mark("batch");
  const IndexTensor wanted = rows_of(targets, part);
  return {model_.model.masked_loss(rows_of(inputs, part), wanted,
                                   padding_mask(rows_of(rows, part), special_.pad)),
          targets_in(wanted)};
}

Index MaskedWordTask::tokens_in(int batch_size) const {
  const Index longest = model_.model.config.layer.max_length - 2;
  const Index mean = train_.tokens() / std::ssize(train_.rows);
  return batch_size * (std::min(longest, mean) + 2);
}

std::vector<TokenRow> MaskedWordTask::held_out_rows(Index length, std::size_t count) const {
  std::vector<TokenRow> rows;
  for (const TokenRow& text : held_out_.rows) {
    for (Index first = 0; first < std::ssize(text) && rows.size() < count; first += length) {
      const Index last = std::min(first + length, std::ssize(text));
      rows.push_back(framed({text.begin() + first, text.begin() + last}));
    }
  }
  return rows;
}

double MaskedWordTask::scoring_examples() const {
  const Index length = model_.model.config.layer.max_length - 2;
  return static_cast<double>(held_out_rows(length, kScoredRows).size());
}

std::vector<Score> MaskedWordTask::scores() {
  Masking masking = masking_;
  masking.masked = 1;
  masking.random = 0;
  const std::vector<TokenRow> rows =
      held_out_rows(model_.model.config.layer.max_length - 2, kScoredRows);
  double right = 0, by_unigram = 0, by_bigram = 0, positions = 0;  // at least one
  for (std::size_t first = 0; first < rows.size(); first += kSideBySide) {
    const std::size_t last = std::min(first + kSideBySide, rows.size());
    const IndexTensor tokens =
        padded({rows.begin() + static_cast<Index>(first), rows.begin() + static_cast<Index>(last)},
               special_.pad);
    const MaskedWords words =
        mask_words(tokens, masking, {kScoring, 0, static_cast<std::uint32_t>(first)});
    const MaskedAccuracy baseline =
        masked_accuracy(neighbours_, words.inputs, words.targets, special_.mask, kIgnoreIndex);
    const Tensor logits = model_.model.word_logits(
        model_.model.features(words.inputs, padding_mask(tokens, special_.pad)));
    for (Index i = 0; i < tokens.size(); ++i) {
      require_logits(logits, i);
      right += words.targets.data()[i] ==
               most_probable_of(logits.data() + i * special_.vocab_size, masking.words);
    }
    const auto asked = static_cast<double>(baseline.positions);
    positions += asked;
    by_unigram += asked * baseline.unigram;
    by_bigram += asked * baseline.bigram;
  }
  return {{"masked words", right / positions},
          {"unigram", by_unigram / positions},
          {"bigram", by_bigram / positions}};
}

std::string MaskedWordTask::describe() const {
  return text(counted_as("tokens", train_.tokens(), held_out_.tokens()), "; vocabulary of ",
              special_.vocab_size, ", ", model_.tokenizer->name());
}

std::string MaskedWordTask::demonstrate() {
  constexpr std::size_t kShown = 5, kPredictions = 3;
  constexpr Index kWords = 22;
  const Tokenizer& tokenizer = *model_.tokenizer;
  const Index length = std::min(kWords, model_.model.config.layer.max_length - 2);
  std::vector<TokenRow> rows = held_out_rows(length, kShown * 4);
  std::string lines;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(1, rows.size() / kShown)) {
    TokenRow& row = rows[i];
    // The first word of its second half, so that there is context on both sides.
    const auto place = std::find_if(
        row.begin() + std::ssize(row) / 2, row.end(),
        [&](std::int32_t token) { return std::ranges::binary_search(masking_.words, token); });
    if (place == row.end()) {
      continue;
    }
    const std::int32_t word = *place;
    *place = special_.mask;
    const std::string before = on_one_line(decoded(tokenizer, {row.begin(), place})),
                      after = on_one_line(decoded(tokenizer, {place + 1, row.end()}));
    lines += before + (before.empty() ? "[MASK]" : " [MASK]") +
             (after.starts_with(' ') || after.empty() ? "" : " ") + after + "\n ";
    const auto predictions = predict_masked(model_, row, kPredictions);
    for (const TokenPrediction& prediction : predictions.front()) {
      lines += text(" ", on_one_line(tokenizer.piece(prediction.token)), " ",
                    std::lround(100 * prediction.probability), "%");
    }
    lines += text("   (it was:", tokenizer.piece(word).starts_with(' ') ? "" : " ",
                  on_one_line(tokenizer.piece(word)), ")\n");
  }
  return lines;
}

}  // namespace gradus
