/// @file
/// A small Bert with a vocabulary of a dozen words, and sentences for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/files/bert_files.h"
#include "nn/optim/train_options.h"
#include "nn/tasks/masked_word_task.h"
#include "nn/text/word_tokenizer.h"
#include "tests/nn/tiny_run.h"

namespace gradus {

/// Sentences in which three of seven words occur twice: the same word is three positions away and
/// not next to it.
struct TinyBert {
  static constexpr std::size_t kRing = 7;

  TinyBert() {
    std::string all;
    for (std::size_t i = 0; i < kRing * kRing; ++i) {
      all += sentence(i);
    }
    tokenizer = std::make_shared<WordTokenizer>(WordTokenizer::learn(all, 20));
    bert = make_bert(tokenizer, 2,
                     {.d_model = 16,
                      .num_heads = 2,
                      .d_ff = 24,
                      .dropout = Scalar(0.1),
                      .activation = Activation::kGeluErf,
                      .norm_place = NormPlace::kPost,
                      .epsilon = Scalar(1e-12),
                      .position = Position::kLearned,
                      .max_length = 14},
                     3);
  }

  /// Sentence i of 49: " ant bee cow ant bee cow."
  static std::string sentence(std::size_t i) {
    static constexpr const char* kWords[kRing] = {" ant", " bee", " cow", " doe",
                                                  " elk", " fox", " gnu"};
    const std::size_t x = i % kRing, y = i / kRing % kRing;
    const std::string half = std::string(kWords[x]) + kWords[y] + kWords[(3 * x + 2 * y) % kRing];
    return half + half + ".";
  }
  std::vector<TokenRow> rows(std::size_t begin, std::size_t end) const {
    std::vector<TokenRow> list;
    for (std::size_t i = begin; i < end; ++i) {
      list.push_back(tokenizer->encode(sentence(i)));
    }
    return list;
  }
  /// Each task has a separate model, because copies of one model would share its tensors.
  MaskedWordTask masked_words(NormPlace place = NormPlace::kPost) const {
    LayerOptions layer = bert.model.config.layer;
    layer.norm_place = place;
    return MaskedWordTask(make_bert(tokenizer, bert.model.config.n_layer, layer, 3), "ring",
                          {rows(0, 40), rows(40, kRing * kRing)});
  }
  static TrainOptions recipe() {
    TrainOptions options;
    options.batch_size = 16;
    options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 20, .decay = 300};
    options.eval_iters = 2;
    return options;
  }

  std::shared_ptr<const Tokenizer> tokenizer;
  BertModel bert;
};

}  // namespace gradus
