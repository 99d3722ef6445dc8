// Exercise 19.6, 5 minutes: say first which sentences an encoder without positions can translate.
#include <cstdio>

#include "tutorials/19_the_full_transformer/exercises.h"
#include "tutorials/19_the_full_transformer/pairs.h"

Transformer trained(const Sentences& sentences, bool positions) {
  const LayerOptions layer{.d_model = 32, .num_heads = 4, .dropout = 0, .max_length = 16};
  Transformer model({sentences.english.size(), sentences.portuguese.size(), 2, layer}, 1);
  if (!positions) model.encoder.positions = PositionalEncoding();  // adds nothing
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 0, .warmup = 50, .decay = 600};
  train(optimiser, {.steps = 600, .schedule = schedule}, [&](int step) {
    const Rows rows = rows_of(draw(sentences, 16, {1, static_cast<std::uint32_t>(step)}));
    return cross_entropy(model(rows.src, rows.trg, rows.src_mask), rows.next);
  });
  return model;
}

void show(const char* name, const Transformer& model, const Sentences& sentences) {
  std::printf("%-26s", name);
  for (int kind = 0; kind < 5; ++kind) {
    Judged judged;
    judge(judged, model, sentences, kind, 1);
    std::printf("  %s %.2f", kKinds[kind].c_str(), double(judged.right) / judged.sentences);
  }
  int swapped = 0, meetings = 0;  // Ana viu Pedro. for "Pedro saw Ana."
  for (const Pair& pair : sentences.held_out[kMeeting]) {
    if (meetings == 30) break;
    const IndexTensor src = one_row(sentences.english.encode(pair.source));
    const Hypothesis best = beam_search(model, src, kLimits, 1).front();
    std::vector<std::string> words = Vocabulary::split_words(pair.targets[0]);
    std::swap(words[0], words[2]);
    swapped += words == Vocabulary::split_words(sentences.portuguese.decode(best.tokens));
    ++meetings;
  }
  std::printf("  swapped %.2f\n", double(swapped) / meetings);
}

int main() {
  const Sentences sentences;
  show("encoder with positions", trained(sentences, true), sentences);
  show("encoder without positions", trained(sentences, false), sentences);
}
