// Chapter 15's small GPT, trained in the page: the chapter's model, batches and schedule.
#include "live/live.h"
#include "pocket/write.h"

using namespace pocket;
using live::Numbers;

namespace {

constexpr Index kLength = 32, kRows = 16;

/// A model in training, and its text: the last thirtieth is held out.
struct Run {
  Run(const std::string& text, double rate, int blocks)
      : characters(CharTokenizer::learn(text)),
        model(config(characters.vocab_size(), blocks), 1),
        optimiser(parameters(model), {}) {
    const Tokens all = characters.encode(text);
    const auto cut = all.begin() + std::ssize(all) * 29 / 30;
    train.assign(all.begin(), cut);
    held_out.assign(cut, all.end());
    schedule = {.rate = rate, .floor = rate / 10, .warmup = 20, .decay = 1500};
  }
  static GptConfig config(Index vocab_size, int blocks) {
    GptConfig config{.vocab_size = vocab_size, .n_positions = kLength};
    config.n_layer = blocks, config.n_head = 4, config.n_embd = 64, config.dropout = 0;
    return config;
  }
  /// 50 rows, for a quick estimate of the loss.
  Tokens some_held_out() const {
    const auto count = std::min<Index>(50 * kLength + 1, std::ssize(held_out));
    return {held_out.begin(), held_out.begin() + count};
  }
  CharTokenizer characters;
  Gpt model;
  AdamW optimiser;
  Schedule schedule;
  Tokens train, held_out;
  std::uint32_t step = 0;
};
std::unique_ptr<Run> run;

/// The held-out loss of a table with the counts of pairs of characters, as in chapter 15.
double loss_of_pairs() {
  const Index vocab = run->characters.vocab_size();
  Tensor pairs = ones({vocab, vocab});  // no count is 0
  for (std::size_t i = 1; i < run->train.size(); ++i) {
    pairs.mutable_data()[run->train[i - 1] * vocab + run->train[i]] += 1;
  }
  const Tensor table = log(pairs / sum(pairs, -1, {.keepdim = true}));
  return mean_loss(run->some_held_out(), kLength,
                   [&](const IndexTensor& tokens) { return embedding(tokens, table); });
}

/// A new model, for a learning rate, a number of blocks and the bytes of a text. Returns its number
/// of parameters, and two landmarks: the losses of a uniform guess and of pairs.
Numbers start(const Numbers& in) {
  run = std::make_unique<Run>(live::text_of(in, 2), in[0], static_cast<int>(in[1]));
  const double guess = std::log(double(run->characters.vocab_size()));
  return {double(count(run->optimiser.parameters)), guess, loss_of_pairs()};
}

/// One step of chapter 06's loop. Returns its loss.
Numbers learn(const Numbers&) {
  const RandomKey key{1, run->step};
  const auto [inputs, targets] = random_batch(run->train, kRows, kLength, key);
  run->optimiser.zero_grad();
  const Tensor loss = run->model.loss(inputs, targets);
  backward(loss);
  run->optimiser.step(Scalar(run->schedule.at(run->step++)),
                      clip_scale(run->optimiser.gradient_norm(), 1));
  return {loss.item()};
}

Numbers held_out_loss(const Numbers&) {
  return {mean_loss(run->some_held_out(), kLength, run->model)};
}

/// The model's continuation of a text, for a temperature, a count and the text's bytes.
Numbers babble(const Numbers& in) {
  std::string start = live::text_of(in, 2);
  std::erase_if(start,
                [](char c) { return run->characters.vocabulary.find(c) == std::string::npos; });
  if (start.empty()) start = "\n";
  const SampleOptions options{.temperature = in[0], .top_k = 0};
  const Tokens prompt = run->characters.encode(start);
  const auto written =
      generate(run->model, prompt, Index(in[1]), options, {.seed = 1, .step = run->step});
  return live::bytes_of(run->characters.decode(written));
}

const live::Piece piece("train", {{"start", start},
                                  {"learn", learn},
                                  {"held_out_loss", held_out_loss},
                                  {"babble", babble}});

}  // namespace
