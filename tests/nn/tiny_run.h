/// @file
/// Shared by tests of training: a text, a model with a few hundred parameters, and a temporary
/// folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "nn/data/corpus.h"
#include "nn/files/gpt_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/optim/train_options.h"
#include "nn/text/char_tokenizer.h"
#include "tests/nn/tiny_gpt.h"
#include "tests/temporary_folder.h"

namespace gradus {

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void overwrite(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// A corpus of 197 letters with its tokenizer, and a model and settings for it.
struct TinyRun {
  TinyRun() : tokenizer(CharTokenizer::learn(text().bytes())), corpus(text(), tokenizer) {
    config.vocab_size = tokenizer.vocab_size();
    options.max_iters = 20;
    options.batch_size = 3;
    options.gradient_accumulation_steps = 2;
    options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 3, .decay = 20};
    options.eval_interval = 7;
    options.eval_iters = 2;
    options.seed = 0xfedcba9876543210;
  }

  static Text text() {
    std::string letters;
    for (int i = 0; i < 197; ++i) {
      letters += static_cast<char>('a' + i * i % 11);
    }
    Text text;
    text.append("squares.txt", letters);
    return text;
  }

  CharTokenizer tokenizer;
  Corpus corpus;
  GptConfig config = tiny_gpt_config();
  TrainOptions options;
};

/// Returns a function that saves this model with this tokenizer into a folder.
inline std::function<void(const std::filesystem::path&)> writer(Gpt& model,
                                                                const Tokenizer& tokenizer) {
  return [&](const std::filesystem::path& folder) {
    save_gpt(folder, model);
    save_tokenizer(tokenizer, folder);
  };
}

/// The tensors of a file as a list.
inline std::vector<NamedTensor> named(const std::map<std::string, Tensor>& tensors) {
  std::vector<NamedTensor> list;
  for (const auto& [name, tensor] : tensors) list.push_back({name, tensor});
  return list;
}

/// The most probable label of each text.
template <class Labeller>
std::vector<int> labels_of(const Labeller& labeller, const std::vector<std::string>& texts) {
  std::vector<int> labels;
  for (const auto& guess : classify(labeller, texts)) labels.push_back(guess.label);
  return labels;
}

}  // namespace gradus
