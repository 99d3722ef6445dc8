/// @file
/// The items of data sets: texts with labels, sentences with translations, prompts, images.
#pragma once

#include <string>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {

/// @addtogroup data
/// @{

/// A text and its class.
struct LabelledText {
  std::string text;  ///< the text to classify
  int label;         ///< its class, an index into LabelledSet::labels
};

/// Texts and the names of their classes.
struct LabelledSet {
  std::vector<std::string> labels;  ///< the name of each class
  std::vector<LabelledText> items;  ///< in no particular order
};

/// A sentence and its correct translations, at least one.
struct SentencePair {
  std::string source;                ///< the sentence to translate
  std::vector<std::string> targets;  ///< its translations
};

/// A text that a model reads, and the text that it should generate.
struct Prompt {
  std::string prompt;  ///< ends where the answer begins
  std::string answer;  ///< begins with a blank, as any text after a word
  std::string task;    ///< "sentiment", "to-fr" or "summarize"
};

/// A prompt with two answers, of which people prefer one.
struct Preference {
  std::string prompt;  ///< ends where the answers begin
  std::string better;  ///< the preferred answer; begins with a blank, as any text after a word
  std::string worse;   ///< the other one
};

/// Images and their labels.
struct LabelledImages {
  Tensor images;       ///< [N, H, W], from 0 (paper) to 1 (ink)
  IndexTensor labels;  ///< [N]
};

/// @}

}  // namespace gradus
