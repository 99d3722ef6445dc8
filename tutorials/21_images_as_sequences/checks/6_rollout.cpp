#include "tutorials/21_images_as_sequences/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

using gradus::as_library;

namespace {

struct Mistake {
  bool reversed = false, no_identity = false, largest = false, last_alone = false,
       first_alone = false, column = false, no_norm = false, no_positions = false, whole = false;
};

Tensor right(const VisionTransformer& model, const Tensor& images, const Mistake& m = {}) {
  const NoGrad no_grad;
  const Index b = images.size(0), heads = model.config.layer.num_heads;
  const Tensor first = model.class_token + zeros({b, 1, 1});
  const Tensor patches = model.embed(patchify(images, model.config.patch));
  const Tensor together = concat({first, patches}, 1);
  Tensor x = m.no_positions ? together : model.encoder.positions.embed(together);
  const Index t = x.size(1);
  const bool pre = model.config.layer.norm_place == NormPlace::kPre;
  std::vector<double> product(static_cast<std::size_t>(b * t * t));
  for (Index i = 0; i < b * t; ++i) product[static_cast<std::size_t>(i * t + i % t)] = 1;
  int number = 0;
  for (const Block& layer : model.encoder.layers) {
    const Tensor y = pre && !m.no_norm ? layer.ln_1(x) : x;
    const Tensor w = attention_weights(split_heads(layer.attn.query(y), heads),
                                       split_heads(layer.attn.key(y), heads));
    x = layer(x);
    ++number;
    if (m.last_alone && number < std::ssize(model.encoder.layers)) continue;
    if (m.first_alone && number > 1) continue;
    std::vector<double> next(product.size());
    for (Index image = 0; image < b; ++image) {
      for (Index i = 0; i < t; ++i) {
        for (Index j = 0; j < t; ++j) {
          double a = 0;
          for (Index h = 0; h < heads; ++h) {
            const double weight = w.data()[((image * heads + h) * t + i) * t + j];
            a = m.largest ? std::max(a, weight) : a + weight / double(heads);
          }
          a = m.no_identity ? a : (a + (i == j)) / 2;
          for (Index k = 0; k < t; ++k) {
            const Index to = image * t * t;
            if (!m.reversed) {  // A R
              next[static_cast<std::size_t>(to + i * t + k)] +=
                  a * product[static_cast<std::size_t>(to + j * t + k)];
            } else {  // R A
              next[static_cast<std::size_t>(to + k * t + j)] +=
                  product[static_cast<std::size_t>(to + k * t + i)] * a;
            }
          }
        }
      }
    }
    product = next;
  }
  Tensor shares({b, t - 1});
  for (Index image = 0; image < b; ++image) {
    double total = 0;
    const auto at = [&](Index s) {
      return product[static_cast<std::size_t>(image * t * t + (m.column ? s * t : s))];
    };
    for (Index s = m.whole ? 0 : 1; s < t; ++s) total += at(s);
    for (Index s = 1; s < t; ++s) {
      shares.mutable_data()[image * (t - 1) + s - 1] = static_cast<Scalar>(at(s) / total);
    }
  }
  return shares;
}

void check_model(const std::string& what, VisionConfig config, Index b, Scalar scale = 1) {
  VisionTransformer model(config, 3);
  // Sharper weights than a new model's, so that mistakes show.
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    if (name.find("query") != std::string::npos || name.find("key") != std::string::npos) {
      x = (x * Scalar(1.7)).detach().set_requires_grad();
    }
    if (name == "class_token") x = (x * 40).detach().set_requires_grad();
    if (name.find("ln_1.weight") != std::string::npos) {
      x = uniform(x.shape(), {.seed = 4}, Scalar(0.5), 2).set_requires_grad();
    }
  });
  const Tensor images = normal({b, config.height, config.width}, {.seed = 6}, 0, scale);
  const Tensor got =
      gradus::unchanged<Tensor>(what, {images, model.class_token, model.embed.weight},
                                [&] { return rollout(model, images); });
  gradus::must_be_finite(what, got);
  const auto with = [&](const Mistake& m) { return as_library(right(model, images, m)); };
  gradus::expect(
      what, as_library(got), with({}),
      {{with({.reversed = true}), "the order of the product: the last layer's matrix is leftmost"},
       {with({.no_identity = true}), "the residual connection is missing: (A + I) / 2"},
       {with({.largest = true}), "the largest head; the mean of the heads is asked"},
       {with({.last_alone = true}), "only the last layer's weights"},
       {with({.first_alone = true}), "only the first layer's weights"},
       {with({.column = true}), "that is what the class token gives; its row is what it gets"},
       {with({.no_norm = true}), "queries and keys read ln_1(x), not x"},
       {with({.no_positions = true}), "the encoder adds positions before its first layer"},
       {with({.whole = true}),
        "the shares of the patches must sum to 1: leave the token's own out"}},
      2e-4);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    VisionConfig config{.height = 4, .width = 6, .patch = 2, .n_labels = 3, .n_layer = 1};
    config.layer = {.d_model = 8, .num_heads = 2, .dropout = 0, .position = Position::kLearned};
    check_model("one layer", config, 1);
    config.n_layer = 3;
    check_model("three layers, two images", config, 2);
    config.height = 9, config.patch = 3, config.n_layer = 2;
    config.layer.d_model = 12, config.layer.num_heads = 3;
    check_model("another size, three heads", config, 3);
    config.height = 16, config.width = 20, config.patch = 2, config.n_layer = 4;
    check_model("eighty patches, four layers", config, 1);
    check_model("large numbers", config, 2, 1e4);
  });
}
