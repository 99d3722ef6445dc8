#include "tutorials/common/check.h"

#include "pocket/attention.h"

using namespace gradus;

namespace {

struct Case {
  Index channels;
  int heads;
  pocket::MultiHeadAttention::Sizes sizes;
  pocket::Index batch, time;
};

}  // namespace

int main() {
  return run_check([] {
    for (const Case& c :
         {Case{12, 3, {}, 2, 4}, Case{12, 2, {}, 3, 6}, Case{10, 2, {3, 6, 7}, 2, 4}}) {
      pocket::KeySequence keys(3);
      pocket::MultiHeadAttention a(c.channels, c.heads, keys, c.sizes, true, 0.5f);
      a.output.bias = pocket::normal({a.output.bias.size(0)}, {.seed = 4});
      pocket::Tensor x = pocket::normal({c.batch, c.time, c.channels}, {.seed = 1}, 0, 2);
      pocket::Tensor source = pocket::normal({c.batch, 5, c.channels}, {.seed = 2}, 0, 2);
      x.set_requires_grad(), source.set_requires_grad();
      const pocket::Tensor q = pocket::split_heads(a.query(x), c.heads);
      const auto [k, v] = a.key_values(source);
      const pocket::Tensor weights = pocket::attention_weights(q, k);
      const pocket::Tensor mixed = pocket::matmul(weights, v);
      const auto as_rows = [&](const pocket::Tensor& y) {
        return pocket::reshape(y, {c.batch, c.time, -1});
      };
      const auto joined = [&](const pocket::Tensor& y) {
        return as_rows(pocket::permute(y, {0, 2, 1, 3}));
      };
      const std::string what =
          std::to_string(c.heads) + " heads of " + std::to_string(c.channels) + " channels";
      std::vector<Cause> causes = {
          {as_library(joined(mixed)), "the output map was left out"},
          {as_library(a.output(as_rows(mixed))),
           "heads were joined by a reshape alone: that mixes positions"},
          {as_library(a.output(as_rows(pocket::permute(mixed, {0, 2, 3, 1})))),
           "the channels of a head must stay next to each other"}};
      if (c.sizes.key_dim == 0) {
        causes.push_back({as_library(a.value(joined(mixed))),
                          "`value` was called a second time: the output map is `output`"});
        causes.push_back(
            {as_library(x + a.output(joined(mixed))), "x was added: attention alone is asked for"});
        causes.push_back({as_library(a.output(joined(pocket::matmul(weights, k)))),
                          "the weights mix the values, not the keys"});
      }
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
            "dropout belongs to the weights, not to their result"},
           {in_training([&] {
              return a.output(
                  joined(pocket::matmul(weights, pocket::dropout_in_training(v, 0.5f))));
            }),
            "dropout belongs to the weights, not to the values"},
           {in_training([&] { return pocket::dropout_in_training(a.output(joined(mixed)), 0.5f); }),
            "dropout belongs to the weights, not to the layer's result"}});
      const auto gradients = [&](const pocket::Tensor& y) {
        x.zero_grad(), source.zero_grad();
        if (y.requires_grad()) pocket::backward(y, pocket::normal(y.shape(), {.seed = 5}));
        std::vector<Scalar> all;
        for (const pocket::Tensor* leaf : {&x, &source}) {
          const auto grad = leaf->grad().defined() ? leaf->grad() : pocket::zeros(leaf->shape());
          all.insert(all.end(), grad.begin(), grad.end());
        }
        return tensor({std::ssize(all)}, all);
      };
      expect(what + ": the gradients of x and the source", gradients(a(x, source)),
             gradients(a.output(joined(mixed))),
             {{zeros({x.size() + source.size()}),
               "they are cut: a detach(), or numbers copied out of the graph"},
              kResultIsRight},
             1e-3);
    }
  });
}
