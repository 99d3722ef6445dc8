#include "tutorials/common/check.h"

#include "tutorials/19_the_full_transformer/exercises.h"

using gradus::green, gradus::red;

namespace {

Index own_positions = 0, source_positions = 0;  // of the first layer, keys and queries

Transformer new_model(Position position, NormPlace place, std::uint64_t seed) {
  Transformer model({.src_vocab = 13,
                     .trg_vocab = 9,
                     .n_layer = 2,
                     .layer = {.d_model = 12,
                               .num_heads = 3,
                               .dropout = 0,
                               .norm_place = place,
                               .position = position,
                               .max_length = 64}},
                    seed);
  KeySequence keys(seed);
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    const Tensor draw = normal(x.shape(), keys.next(), 0, Scalar(0.5));
    const bool gain = name.find("norm") != std::string::npos && name.ends_with("weight");
    const Scalar scale = name == "out.weight" ? 5 : Scalar(1.5);
    x = x.rank() == 2 ? x * scale : gain ? draw + Scalar(1) : draw;
  });
  const auto before = model.layers[0].self_attention.rotate;
  model.layers[0].self_attention.rotate = [before](const Tensor& x, Index first) {
    own_positions += x.size(2);
    return before ? before(x, first) : x;
  };
  model.layers[0].cross_attention.rotate = [](const Tensor& x, Index) {
    source_positions += x.size(2);
    return x;
  };
  return model;
}

void ask(const std::string& what, const Transformer& model, const Tokens& source,
         const WriteLimits& limits) {
  const IndexTensor src({1, std::ssize(source)}, source);
  const Tokens expected = beam_search(model, src, limits, 1).front().tokens;
  own_positions = source_positions = 0;
  const Tokens got = my_greedy(model, src, limits);
  if (got != expected)
    red(what, ": got ", gradus::listed(got), ", expected ", gradus::listed(expected));
  const Index steps = std::ssize(got) - 1;
  if (own_positions > 2 * steps) {
    red(what, ": the self-attention computed ", own_positions - steps, " keys for ", steps,
        " tokens");
  }
  if (source_positions > steps + std::ssize(source)) {
    red(what, ": the cross-attention computed ", source_positions - steps, " keys for a source of ",
        source.size());
  }
}

}  // namespace

CHECK_ANSWER() {
  Tokens book;
  for (int i = 0; i < 60; ++i) book.push_back(i * i % 13);
  const auto check = [&](const std::string& what, Position position, NormPlace place) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Transformer model = new_model(position, place, seed);
      const Index some = 3 + Index(seed) * 5 % 17;
      const Tokens source(book.begin(), book.begin() + some);
      const WriteLimits limits{
          .begin = std::int32_t(seed % 3), .end = std::int32_t(3 + seed % 6), .max_tokens = 12};
      ask(what, model, source, limits);
    }
    green(what);
  };
  check("sinusoidal positions", Position::kSinusoidal, NormPlace::kPre);
  check("learned positions", Position::kLearned, NormPlace::kPre);
  check("post-norm", Position::kSinusoidal, NormPlace::kPost);
  check("rotary positions", Position::kRotary, NormPlace::kPre);
  check("ALiBi", Position::kAlibi, NormPlace::kPre);
  const Transformer model = new_model(Position::kSinusoidal, NormPlace::kPre, 3);
  ask("sixty tokens", model, book, {.begin = 1, .end = 99, .max_tokens = 60});
  green("sixty tokens, cut off at max_tokens");
  ask("no token", model, book, {.begin = 1, .end = 2, .max_tokens = 0});
  green("a limit of 0 tokens");
}
