// Exercise 18.6, 5 minutes: how many labels does pre-training replace?
//
// Chapter 18's comparison at 40 and at 160 labels: an encoder from nothing, and the same encoder
// after 1200 steps of pre-training on hidden words, at one seed, each trained for 300 steps. At 40
// labels, each number is the mean of two sets. Takes about 15 seconds. Try other numbers of
// pre-training steps: 200, or 5000.
#include <cstdio>

#include "tutorials/18_the_encoder_and_bert/reviews.h"
#include "tutorials/pocket/bert.h"

using namespace reviews;

int main() {
  const std::vector<Kind> kinds = {kPlain, kContrast, kShifting};
  const std::vector<Review> all = shuffled_reviews(kAsked, 1);
  const std::vector<Review> held_out = {all.begin(), all.begin() + 450};
  const std::vector<Review> labelled = {all.begin() + 450, all.begin() + 950};
  const std::vector<Review> texts = {all.begin() + 950, all.end()};
  const WordTokenizer tokenizer = WordTokenizer::learn(texts);
  BertConfig config{.vocab_size = std::ssize(tokenizer.names), .n_layer = 2};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = Position::kLearned};
  config.layer.max_length = 16;

  const auto learn = [](Bert& model, int steps, int warmup, const auto& loss) {
    AdamW optimiser(parameters(model), {});
    const Schedule schedule{.rate = 3e-3, .floor = 3e-4, .warmup = warmup, .decay = steps};
    train(optimiser, {.steps = steps, .schedule = schedule}, loss);
  };
  const auto pretrain = [&](Bert& model, int steps) {
    learn(model, steps, 50, [&](int step) {
      const RandomKey key{101, std::uint32_t(step)}, mask_key{201, std::uint32_t(step)};
      const auto [tokens, segments] = rows_of(some(texts, 32, key), tokenizer, true);
      const auto [inputs, targets] = mask_words(tokens, tokenizer.words(), kMask, mask_key);
      const Tensor x = model.features(inputs, padding_mask(tokens, kPad), segments);
      return cross_entropy(model.word_logits(x), targets);
    });
  };
  const auto logits = [&](const Bert& model, const std::vector<Review>& reviews) {
    const IndexTensor tokens = rows_of(reviews, tokenizer, false).tokens;
    return model.sequence_logits(model.features(tokens, padding_mask(tokens, kPad)));
  };

  std::printf("labels  pre-training    plain  contrast  shifting\n");
  for (const int steps : {0, 1200}) {
    Bert before(config, 1);
    pretrain(before, steps);
    for (const Index count : {40, 160}) {
      double right[3] = {}, tested[3] = {};
      for (Index set = 0; set < (count == 160 ? 1 : 2); ++set) {
        Bert model(config, 1);  // of the same numbers as `before`
        const auto from = parameters(before), to = parameters(model);
        for (std::size_t i = 0; i < from.size(); ++i) {
          Tensor x = to[i].tensor;
          std::copy(from[i].tensor.begin(), from[i].tensor.end(), x.mutable_data());
        }
        model.set_labels(2, 1);
        const auto first = labelled.begin() + set * count;
        const std::vector<Review> reviews(first, first + count);
        learn(model, 300, 20, [&](int step) {
          const std::vector<Review> batch = some(reviews, 16, {1, std::uint32_t(step)});
          return cross_entropy(logits(model, batch), labels_of(batch));
        });
        const IndexTensor said = argmax(logits(model, held_out), -1);
        for (std::size_t i = 0; i < held_out.size(); ++i) {
          const Review& review = held_out[i];
          right[review.kind] += said.data()[i] == review.label, ++tested[review.kind];
        }
      }
      std::printf("%6d %7d steps", static_cast<int>(count), steps);
      for (const Kind kind : kinds) std::printf(" %8.0f%%", 100 * right[kind] / tested[kind]);
      std::printf("\n");
    }
  }
}
