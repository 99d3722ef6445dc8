#include "pocket/attention.h"
#include "tutorials/common/compare.h"

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

int main() {
  return run_check([] {
    for (const Case& c :
         {Case{12, 3, {}, 2, 4, 0.5f}, {12, 2, {}, 3, 6, 0.2f}, {10, 2, {3, 6, 7}, 2, 4, 0.5f}}) {
      pocket::KeySequence keys(3);
      pocket::MultiHeadAttention a(c.channels, c.heads, keys, c.sizes, true, c.dropout);
      a.output.bias = pocket::normal({a.output.bias.size(0)}, {.seed = 4});
      pocket::Tensor x = pocket::normal({c.batch, c.time, c.channels}, {.seed = 1}, 0, 2);
      pocket::Tensor source = pocket::normal({c.batch, 5, c.channels}, {.seed = 2}, 0, 2);
      x.set_requires_grad(), source.set_requires_grad();
      const pocket::Tensor q = pocket::split_heads(a.query(x), c.heads);
      const pocket::AttentionOptions options{.mask = pocket::IndexTensor({1, 5}, {1, 1, 0, 1, 1})};
      const auto [k, v] = a.key_values(source);
      const pocket::Tensor weights = pocket::attention_weights(q, k, options);
      const pocket::Tensor mixed = pocket::matmul(weights, v);
      const auto joined = [&](const pocket::Tensor& y) {
        return pocket::reshape(pocket::permute(y, {0, 2, 1, 3}), {c.batch, c.time, -1});
      };
      const std::string what =
          std::to_string(c.heads) + " heads of " + std::to_string(c.channels) + " channels";
      expect(what, as_library(a(x, source, options)), as_library(a.output(joined(mixed))));
      const auto in_training = [&](const auto& f) {
        const pocket::Training training(7, 0);
        return as_library(f());
      };
      expect(what + ", in training", in_training([&] { return a(x, source, options); }),
             in_training([&] {
               return a.output(
                   joined(pocket::matmul(pocket::dropout_in_training(weights, c.dropout), v)));
             }));
      compare_gradients(what, std::vector<pocket::NamedTensor>{{"x", x}, {"the source", source}},
                        a(x, source, options), a.output(joined(mixed)));
    }
  });
}
