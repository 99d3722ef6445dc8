#include "cli/commands/predict_answers.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "autograd/check.h"
#include "cli/program/display.h"
#include "nn/files/bert_files.h"
#include "nn/files/gpt_files.h"
#include "nn/generate/search.h"
#include "nn/names.h"
#include "nn/tasks/bert_label_task.h"
#include "nn/tasks/masked_word_task.h"
#include "nn/tasks/text_classifier.h"
#include "nn/tasks/translation_task.h"
#include "nn/text/special_tokens.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownLabels = 5;

/// Removes the blanks at the start of an answer: a word's token holds the blank before the word.
std::string without_first_blanks(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

AnswerText translating(const fs::path& folder, int beam) {
  return [translator = load_translator(folder), beam](const std::string& text) {
    const std::string translation =
        without_first_blanks(translate(translator, {text}, beam).front());
    return Answer{on_one_line(translation),
                  {{"translation", translation}},
                  translator.tokenizer->unknown_words(text)};
  };
}

AnswerText classifying(const fs::path& folder) {
  return [classifier = load_text_classifier(folder)](const std::string& text) {
    Answer answer = answer_of(classify(classifier, {text}).front(), classifier.labels);
    answer.unknown = classifier.tokenizer->unknown_words(text);
    return answer;
  };
}

AnswerText labelling(const fs::path& folder) {
  return [bert = load_bert(folder)](const std::string& text) {
    Answer answer = answer_of(classify(bert, {text}).front(), bert.labels);
    answer.unknown = bert.tokenizer->unknown_words(text);
    return answer;
  };
}

/// The token of a new line; -1, which no model writes, if the vocabulary has no such token.
std::int32_t end_of_line(const Tokenizer& tokenizer) {
  try {
    const TokenRow tokens = tokenizer.encode_continuation("\n");
    return tokens.size() == 1 && tokenizer.piece(tokens[0]) == "\n" ? tokens.front() : -1;
  } catch (const std::invalid_argument&) {
    return -1;
  }
}

AnswerText completing(const fs::path& folder, Index max_new_tokens) {
  auto checkpoint = std::make_shared<const Checkpoint>(load_checkpoint(folder));
  return [checkpoint, max_new_tokens](const std::string& prompt) {
    const Tokenizer& tokenizer = *checkpoint->tokenizer;
    const WriteLimits limits{.end = end_of_line(tokenizer), .max_tokens = max_new_tokens};
    const Index begin = std::ssize(with_begin(tokenizer, {}));
    const Index most = checkpoint->model.config.n_positions - 1 - begin;
    GptDecoding state(checkpoint->model, with_begin(tokenizer, encoded(tokenizer, prompt, most)));
    const std::string completion =
        without_first_blanks(decoded(tokenizer, greedy_search(state, limits).front().tokens));
    return Answer{
        on_one_line(completion), {{"completion", completion}}, tokenizer.unknown_words(prompt)};
  };
}

/// The five most probable words for each [MASK] of a text.
AnswerText filling(const fs::path& folder) {
  BertModel loaded = load_bert(folder);
  check(loaded.fills_masks, folder.string(),
        ": this BERT has neither a head for masked words nor labels (train it on labels with "
        "gradus finetune)");
  return [bert = std::move(loaded)](const std::string& text) {
    constexpr std::string_view kMask = "[MASK]";
    constexpr std::size_t kShownWords = 5;
    const Tokenizer& tokenizer = *bert.tokenizer;
    const SpecialTokens special(tokenizer);
    TokenRow row = {special.begin};
    Answer answer;
    for (std::size_t begin = 0;;) {
      const std::size_t mask = text.find(kMask, begin);
      const std::string piece = text.substr(begin, mask - begin);
      // The blank before a mask belongs to the masked word, whose token holds it.
      const bool blank = mask != std::string::npos && piece.ends_with(' ');
      std::ranges::copy(encoded(tokenizer, blank ? piece.substr(0, piece.size() - 1) : piece,
                                bert.model.config.layer.max_length),
                        std::back_inserter(row));
      std::ranges::move(tokenizer.unknown_words(piece), std::back_inserter(answer.unknown));
      if (mask == std::string::npos) {
        break;
      }
      row.push_back(special.mask);
      begin = mask + kMask.size();
    }
    row.push_back(special.end);
    check(std::ssize(row) <= bert.model.config.layer.max_length, excerpt(text),
          ": must have at most ", bert.model.config.layer.max_length,
          " tokens with [CLS] and [SEP], got ", row.size());
    const auto predictions = predict_masked(bert, row, kShownWords);
    check(!predictions.empty(), excerpt(text), ": needs a [MASK] to fill");
    answer.json["masks"] = Json::array();
    for (const std::vector<TokenPrediction>& words : predictions) {
      Json list = Json::array();
      std::string line;
      for (const TokenPrediction& word : words) {
        std::string piece = tokenizer.piece(word.token);
        piece.erase(0, piece.starts_with(' ') && piece.size() > 1 ? 1 : 0);
        line += (line.empty() ? "" : ", ") + on_one_line(piece) + " " + fixed(word.probability, 4);
        list.push_back({{"word", piece}, {"probability", word.probability}});
      }
      answer.line += (answer.line.empty() ? "" : "\t") + line;
      answer.json["masks"].push_back(list);
    }
    return answer;
  };
}

}  // namespace

AnswerText answerer(ModelKind kind, const fs::path& folder, const AnswerOptions& options) {
  switch (kind) {
    case ModelKind::kTranslator:
      return translating(folder, options.beam);
    case ModelKind::kClassifier:
      return classifying(folder);
    case ModelKind::kGpt:
      return completing(folder, options.max_new_tokens);
    case ModelKind::kVision:
      fail(folder.string(), ": a vit needs images (add --images FILE or --held_out)");
    case ModelKind::kBert:
      return load_labels(folder).empty() ? filling(folder) : labelling(folder);
    default:
      fail(folder.string(), ": a ", name_of(kind),
           " cannot answer a text (add --held_out to evaluate it)");
  }
}

Answer answer_of(const Prediction& prediction, const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return prediction.probabilities[i]; });
  Answer answer;
  answer.json = {{"label", labels[order[0]]}, {"probabilities", Json::object()}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double p = prediction.probabilities[order[i]];
    answer.json["probabilities"][labels[order[i]]] = p;
    if (i < kShownLabels) {
      answer.line += (i > 0 ? "\t" : "") + on_one_line(labels[order[i]]) + "\t" + fixed(p, 4);
    }
  }
  return answer;
}

}  // namespace gradus
