#include "nn/tasks/text_classifier.h"

#include <algorithm>

#include "autograd/check.h"
#include "nn/files/checkpoint.h"
#include "nn/files/model_configs.h"
#include "nn/files/tokenizer_files.h"
#include "nn/tasks/prediction.h"
#include "nn/text/special_tokens.h"
#include "nn/text/unicode_folding.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

std::string in_small_letters(std::string_view word) {
  std::u32string small;
  for (const char32_t letter : utf8_decode(word)) small += lower_case(letter);
  return utf8_encode(small);
}

}  // namespace

TextClassifier make_text_classifier(std::shared_ptr<const Tokenizer> tokenizer,
                                    std::vector<std::string> labels, int n_layer,
                                    const LayerOptions& layer, std::uint64_t seed) {
  SequenceClassifier model({.vocab_size = SpecialTokens(*tokenizer).vocab_size,
                            .n_labels = std::ssize(labels),
                            .n_layer = n_layer,
                            .layer = layer},
                           seed);
  return {std::move(model), std::move(tokenizer), std::move(labels)};
}

std::size_t take_word_vectors(TextClassifier& classifier, const WordVectors& vectors, bool freeze) {
  const Tokenizer& tokenizer = *classifier.tokenizer;
  SequenceClassifier& model = classifier.model;
  const Index channels = model.config.layer.d_model;
  check(tokenizer.name() == "word", "word vectors need --tokenizer=word, got ", tokenizer.name());
  check(vectors.vectors.size(1) == channels, "the word vectors must have the model's ", channels,
        " channels, got ", vectors.vectors.size(1), " (choose --n_embd=", vectors.vectors.size(1),
        ")");
  const auto rows = vectors.rows();
  std::size_t found = 0;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    std::string word = tokenizer.piece(token);
    if (word.size() > 1 && word.starts_with(' ')) {
      word.erase(0, 1);
    }
    auto row = rows.find(word);
    if (row == rows.end()) {
      row = rows.find(in_small_letters(word));
    }
    if (row != rows.end()) {
      const Scalar* vector = vectors.vectors.data() + static_cast<Index>(row->second) * channels;
      std::copy_n(vector, channels, model.embed.weight.mutable_data() + token * channels);
      ++found;
    }
  }
  model.freeze_embed(freeze);
  return found;
}

TextClassifier load_text_classifier(const std::filesystem::path& folder) {
  const ClassifierConfig config = load_classifier_config(folder);
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  check_vocabulary(folder, config.vocab_size, *tokenizer);
  std::vector<std::string> labels = load_labels(folder);
  check_labels(folder.string(), labels, config.n_labels);
  TextClassifier classifier{SequenceClassifier(config), std::move(tokenizer), std::move(labels)};
  load_parameters(folder, parameters(classifier.model));
  return classifier;
}

TokenRow row_of(const TextClassifier& classifier, const std::string& text) {
  TokenRow row = encoded(*classifier.tokenizer, text, classifier.model.config.layer.max_length - 1);
  row.insert(row.begin(), SpecialTokens(*classifier.tokenizer).begin);
  return row;
}

Tensor logits_of(const TextClassifier& classifier, const std::vector<TokenRow>& rows) {
  const std::int32_t pad = SpecialTokens(*classifier.tokenizer).pad;
  return classifier.model(padded(rows, pad), pad);
}

void save_model(const std::filesystem::path& folder, const TextClassifier& classifier) {
  save_parameters(folder, parameters(classifier.model));
  save_config(folder, classifier.model.config, classifier.labels);
  save_tokenizer(*classifier.tokenizer, folder);
}

}  // namespace gradus
