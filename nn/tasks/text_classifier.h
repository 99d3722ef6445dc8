/// @file
/// A SequenceClassifier with its tokenizer and labels.
#pragma once

#include <filesystem>
#include <memory>

#include "nn/models/classifier.h"
#include "nn/tasks/rows.h"
#include "nn/text/word_vectors.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A trained classifier of texts.
///
/// Before each text it reads SpecialTokens::begin, so that an empty one is a text too.
struct TextClassifier {
  SequenceClassifier model;                    ///< has SpecialTokens::vocab_size tokens
  std::shared_ptr<const Tokenizer> tokenizer;  ///< encodes the texts
  std::vector<std::string> labels;             ///< their names, in order
};

/// An untrained classifier with a tokenizer's vocabulary.
/// @throws std::invalid_argument if the options are invalid.
TextClassifier make_text_classifier(std::shared_ptr<const Tokenizer> tokenizer,
                                    std::vector<std::string> labels, int n_layer,
                                    const LayerOptions& layer, std::uint64_t seed);

/// Replaces the embeddings of words that have a vector, and returns their number.
///
/// A token of the word tokenizer is looked up without the blank before it, unchanged and then in
/// lower case, as the words of most published vectors are. Other tokens keep theirs.
/// @code
/// const auto tokenizer =
///     std::make_shared<WordTokenizer>(WordTokenizer::learn("the cat and the dog", 9));
/// TextClassifier classifier =
///     make_text_classifier(tokenizer, {"no", "yes"}, 1, {.d_model = 2, .num_heads = 1}, 1);
/// take_word_vectors(classifier, {{"cat", "dog"}, tensor({{1, 2}, {3, 4}})}, true);  // 2
/// @endcode
/// @param freeze excludes the whole table from training, also the rows of other tokens.
/// @throws std::invalid_argument unless the tokenizer's kind is "word" and the vectors are as wide
/// as the model.
std::size_t take_word_vectors(TextClassifier& classifier, const WordVectors& vectors, bool freeze);

/// Reads a classifier from a checkpoint folder.
/// @throws std::runtime_error naming the file and the missing or wrong part.
TextClassifier load_text_classifier(const std::filesystem::path& folder);

/// The tokens of a text for the model: SpecialTokens::begin, then the tokenizer's tokens.
/// @throws std::invalid_argument naming a text that is too long or that the tokenizer cannot
/// encode.
TokenRow row_of(const TextClassifier& classifier, const std::string& text);
/// Logits of the labels [B, n_labels].
Tensor logits_of(const TextClassifier& classifier, const std::vector<TokenRow>& rows);
/// Writes a classifier of texts into a folder, as load_text_classifier() reads it.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const TextClassifier& classifier);

/// @}

}  // namespace gradus
