#include "cli/predict_answers.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "autograd/check.h"
#include "cli/display.h"
#include "nn/generate/search.h"
#include "nn/tasks/classification_task.h"
#include "nn/tasks/translation_task.h"
#include "nn/train/checkpoint.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownLabels = 5;

AnswerText translating(const fs::path& folder, int beam) {
  return [translator = load_translator(folder), beam](const std::string& text) {
    const std::string translation = translate(translator, {text}, beam).front();
    return Answer{translation, {{"translation", translation}}};
  };
}

AnswerText classifying(const fs::path& folder) {
  return [classifier = load_text_classifier(folder)](const std::string& text) {
    return answer_of(classify(classifier, {text}).front(), classifier.labels);
  };
}

/// The token of a new line; one that no model writes if the vocabulary has none of its own.
std::int32_t end_of_line(const Tokenizer& tokenizer) {
  try {
    const TokenRow tokens = tokenizer.encode("\n");
    return tokens.size() == 1 && tokenizer.decode(tokens) == "\n" ? tokens.front() : -1;
  } catch (const std::invalid_argument&) {
    return -1;
  }
}

AnswerText completing(const fs::path& folder, Index max_new_tokens) {
  auto checkpoint = std::make_shared<const Checkpoint>(load_checkpoint(folder));
  return [checkpoint, max_new_tokens](const std::string& prompt) {
    const Tokenizer& tokenizer = *checkpoint->tokenizer;
    const WriteLimits limits{.end = end_of_line(tokenizer), .max_tokens = max_new_tokens};
    GptWriter writer(checkpoint->model,
                     encoded(tokenizer, prompt, checkpoint->model.config.n_positions - 1));
    const std::string completion = decoded(tokenizer, greedy_search(writer, limits).front().tokens);
    return Answer{completion, {{"completion", completion}}};
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
      fail(folder.string(),
           ": holds a vit, which reads images (give an IDX file by --images, or add --held_out)");
    case ModelKind::kBert:
      break;
  }
  fail(folder.string(), ": holds a bert, which predict cannot use yet (give another --out_dir)");
}

Answer answer_of(const Guess& guess, const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return guess.probabilities[i]; });
  Answer answer;
  answer.json = {{"label", labels[order[0]]}, {"probabilities", Json::object()}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double p = guess.probabilities[order[i]];
    answer.json["probabilities"][labels[order[i]]] = p;
    if (i < kShownLabels) {
      answer.line += (i > 0 ? "\t" : "") + labels[order[i]] + "\t" + fixed(p, 4);
    }
  }
  return answer;
}

}  // namespace gradus
