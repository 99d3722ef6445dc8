/// @file
/// Answers a text or an image with a trained model, for `gradus predict`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "nn/files/json_values.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/prediction.h"

namespace gradus {

/// An answer, as a line for users and scripts and as JSON. In the line, text from a model or its
/// files goes through on_one_line().
struct Answer {
  std::string line;
  Json json;
  std::vector<std::string> unknown = {};  ///< words of the text that were read as unknown
};

/// How answers are written.
struct AnswerOptions {
  int beam = 1;                ///< number of hypotheses (translator)
  Index max_new_tokens = 100;  ///< limit for a GPT
};

/// Answers a text. @throws std::invalid_argument naming a text that the model cannot take.
using AnswerText = std::function<Answer(const std::string& text)>;

/// Loads the model of a checkpoint folder to answer texts: a translator translates, a classifier
/// gives the label, a GPT continues the text up to the end of the line.
/// @throws std::runtime_error naming the file and the missing or wrong part; std::invalid_argument
/// if a model of this kind answers no texts.
AnswerText answerer(ModelKind kind, const std::filesystem::path& folder,
                    const AnswerOptions& options);

/// A prediction as fields with tabs in between: the most probable label and its probability, and
/// then the next labels in the same way, at most five labels in all.
Answer answer_of(const Prediction& prediction, const std::vector<std::string>& labels);

}  // namespace gradus
