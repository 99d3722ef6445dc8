#include "pocket/attention.h"
#include "tutorials/common/check.h"

using namespace gradus;

namespace {

struct Case {
  Index channels;
  int heads;
  pocket::MultiHeadAttention::Sizes sizes;
};

}  // namespace

int main() {
  return run_check([] {
    for (const Case& c : {Case{12, 3, {}}, Case{12, 2, {}}, Case{10, 2, {3, 6, 7}}}) {
      pocket::KeySequence keys(3);
      pocket::MultiHeadAttention a(c.channels, c.heads, keys, c.sizes, true, 0.5f);
      a.output.bias = pocket::normal({a.output.bias.size(0)}, {.seed = 4});
      pocket::Tensor x = pocket::normal({2, 4, c.channels}, {.seed = 1}, 0, 2);
      pocket::Tensor source = pocket::normal({2, 5, c.channels}, {.seed = 2}, 0, 2);
      x.set_requires_grad(), source.set_requires_grad();
      const pocket::Tensor q = pocket::split_heads(a.query(x), c.heads);
      const auto [k, v] = a.key_values(source);
      const pocket::Tensor weights = pocket::attention_weights(q, k);
      const pocket::Tensor mixed = pocket::matmul(weights, v);
      const auto joined = [](const pocket::Tensor& y) {
        return pocket::reshape(pocket::permute(y, {0, 2, 1, 3}), {2, 4, -1});
      };
      const std::string what =
          std::to_string(c.heads) + " heads of " + std::to_string(c.channels) + " channels";
      std::vector<Cause> causes = {{as_library(joined(mixed)), "the output map was left out"},
                                   {as_library(a.output(pocket::reshape(mixed, {2, 4, -1}))),
                                    "heads were joined by a reshape alone: that mixes positions"}};
      if (c.sizes.key_dim == 0)
        causes.push_back({as_library(a.output(joined(pocket::matmul(weights, k)))),
                          "the weights mix the values, not the keys"});
      expect(what, as_library(a(x, source)), as_library(a.output(joined(mixed))), causes);
      const auto in_training = [&](const auto& f) {
        const pocket::Training training(7, 0);
        return as_library(f());
      };
      expect(
          what + ", in training", in_training([&] { return a(x, source); }), in_training([&] {
            return a.output(joined(pocket::matmul(pocket::dropout_in_training(weights, 0.5f), v)));
          }),
          {{as_library(a.output(joined(mixed))), "dropout of the weights is missing"},
           {in_training([&] { return a.output(joined(pocket::dropout_in_training(mixed, 0.5f))); }),
            "dropout belongs to the weights, not to their result"}});
      const auto gradients = [&](const pocket::Tensor& y) {
        x.zero_grad(), source.zero_grad();
        if (y.requires_grad()) pocket::backward(y, pocket::normal(y.shape(), {.seed = 5}));
        std::vector<Tensor> all;
        for (const pocket::Tensor* leaf : {&x, &source}) {
          all.push_back(leaf->grad().defined() ? as_library(leaf->grad())
                                               : as_library(pocket::zeros(leaf->shape())));
        }
        return all;
      };
      const auto own = gradients(a(x, source)), asked = gradients(a.output(joined(mixed)));
      for (int i = 0; i < 2; ++i) {
        expect(
            what + (i == 0 ? ": the gradient of x" : ": the gradient of the source"), own[i],
            asked[i],
            {{zeros(own[i].shape()), "it is cut: a detach(), or numbers copied out of the graph"}},
            1e-3);
      }
    }
  });
}
