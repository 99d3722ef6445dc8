// Chapter 16's knobs: how temperature, top-k and top-p change the probabilities of a model's next
// token, and the text that results.
#include "live/weights.h"
#include "pocket/write.h"
#ifndef __EMSCRIPTEN__
#include "tutorials/16_writing/trained.h"
#endif

using namespace pocket;
using live::Numbers;

namespace {

struct Writer {
  CharTokenizer characters;
  Gpt model;
  /// The part of a text that the model reads: its end, without characters outside the vocabulary.
  Tokens read(std::string text) const {
    std::erase_if(text, [&](char c) { return characters.vocabulary.find(c) == std::string::npos; });
    const Tokens tokens = characters.encode(text.empty() ? "\n" : text);
    return {tokens.end() - std::min<Index>(std::ssize(tokens), model.config.n_positions),
            tokens.end()};
  }
};
std::unique_ptr<Writer> writer;

#ifndef __EMSCRIPTEN__
/// Trains chapter 16's model. Returns the size of its vocabulary, the vocabulary, and the weights.
Numbers make(const Numbers&) {
  const Tales tales;
  Gpt model = trained_gpt(tales, 2000);
  Numbers all{double(tales.characters.vocab_size())};
  for (const Numbers& more :
       {live::bytes_of(tales.characters.vocabulary), live::weights_of(model)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}
#endif

/// Loads the result of `make`, and returns the vocabulary.
Numbers start(const Numbers& in) {
  const auto size = static_cast<std::size_t>(in[0]);
  const std::string vocabulary = live::text_of({in.begin() + 1, in.begin() + 1 + Index(size)});
  GptConfig config{.vocab_size = std::ssize(vocabulary), .n_positions = 64};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = 0;
  writer = std::make_unique<Writer>(Writer{{vocabulary}, Gpt(config)});
  live::set_weights(writer->model, in, 1 + size);
  return live::bytes_of(vocabulary);
}

SampleOptions options_of(const Numbers& in) {
  return {.temperature = in[0], .top_k = static_cast<int>(in[1]), .top_p = in[2]};
}

/// Each token's share of the draws of `choose_token`. Draws from 0 to 1 give the tokens one after
/// another, so halving finds the draw at which one token ends.
Numbers shares_of(const std::vector<Scalar>& logits, const SampleOptions& options) {
  Numbers shares(logits.size());
  for (Scalar first = 0; first < 1;) {
    const std::int32_t token = choose_token(logits, options, first);
    Scalar inside = first, outside = 1;  // a draw with this token, and one with another
    while (std::nextafter(inside, outside) < outside) {
      const Scalar middle = (inside + outside) / 2;
      (choose_token(logits, options, middle) == token ? inside : outside) = middle;
    }
    shares[static_cast<std::size_t>(token)] = outside - first;
    first = outside;
  }
  return shares;
}

/// For temperature, top_k, top_p and a text: the model's own probabilities of the next token, and
/// the probabilities after the knobs.
Numbers look(const Numbers& in) {
  const auto logits = InferenceSession(writer->model).step(writer->read(live::text_of(in, 3)));
  Numbers both = shares_of(logits, {.temperature = 1, .top_k = 0});
  const Numbers made = shares_of(logits, options_of(in));
  both.insert(both.end(), made.begin(), made.end());
  return both;
}

/// For the knobs, a draw in [0, 1) and a text: the token that comes next.
Numbers choose(const Numbers& in) {
  const auto logits = InferenceSession(writer->model).step(writer->read(live::text_of(in, 4)));
  return {double(choose_token(logits, options_of(in), Scalar(in[3])))};
}

/// For the knobs, a seed and a text: 80 characters more.
Numbers go_on(const Numbers& in) {
  const RandomKey key{.seed = static_cast<std::uint64_t>(in[3])};
  const Tokens prompt = writer->read(live::text_of(in, 4));
  return live::bytes_of(
      writer->characters.decode(generate(writer->model, prompt, 80, options_of(in), key)));
}

const live::Piece piece("choose", {
#ifndef __EMSCRIPTEN__
                                      {"make", make},
#endif
                                      {"start", start},
                                      {"look", look},
                                      {"choose", choose},
                                      {"go_on", go_on}});

}  // namespace
