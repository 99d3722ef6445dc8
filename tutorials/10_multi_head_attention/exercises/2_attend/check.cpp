#include "pocket/attention.h"
#include "tutorials/common/compare_in_training.h"

using namespace gradus;

namespace {

struct Case {
  Index channels;
  int heads;
  pocket::MultiHeadAttention::Sizes sizes;
  pocket::Index batch, time;
  pocket::Scalar dropout;
};

}  // namespace

CHECK_ANSWER() {
  for (const Case& c :
       {Case{12, 3, {}, 2, 4, 0.5f}, {12, 2, {}, 3, 6, 0.2f}, {10, 2, {3, 6, 7}, 2, 4, 0.5f}}) {
    pocket::KeySequence keys(3);
    pocket::MultiHeadAttention a(c.channels, c.heads, keys, c.sizes, true, c.dropout);
    a.output.bias = pocket::normal({a.output.bias.size(0)}, {.seed = 4});
    pocket::Tensor x = pocket::normal({c.batch, c.time, c.channels}, {.seed = 1}, 0, 2);
    pocket::Tensor source = pocket::normal({c.batch, 5, c.channels}, {.seed = 2}, 0, 2);
    x.set_requires_grad(), source.set_requires_grad();
    const pocket::AttentionOptions options{.mask = pocket::IndexTensor({1, 5}, {1, 1, 0, 1, 1})};
    const auto mine = [&] { return a(x, source, options); };
    const auto right = [&] {
      const pocket::Tensor q = pocket::split_heads(a.query(x), c.heads);
      const auto [k, v] = a.key_values(source);
      const auto weights = pocket::attention_weights(q, k, options);
      const auto mixed = pocket::matmul(pocket::dropout_in_training(weights, c.dropout), v);
      const pocket::Tensor joined = pocket::permute(mixed, {0, 2, 1, 3});
      return a.output(pocket::reshape(joined, {c.batch, c.time, -1}));
    };
    const std::string what =
        std::to_string(c.heads) + " heads of " + std::to_string(c.channels) + " channels";
    const std::vector<pocket::NamedTensor> leaves{{"x", x}, {"the source", source}};
    compare(what, leaves, mine, right);
    compare_in_training(what, leaves, mine, right);
  }
}
