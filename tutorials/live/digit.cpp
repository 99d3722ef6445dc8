// Chapter 21's transformer, trained when pages are made, on a digit that the reader draws.
#include "live/weights.h"
#include "pocket/vision.h"
#include "tutorials/21_images_as_sequences/digits.h"

using namespace pocket;
using live::Numbers;

namespace {

VisionConfig config() {
  VisionConfig config{.height = digits::kSide, .width = digits::kSide, .patch = 4};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = Position::kLearned};
  return config;
}
std::unique_ptr<VisionTransformer> model;

#ifndef __EMSCRIPTEN__
/// Trains the chapter's model for 3000 steps. Returns its weights.
Numbers make(const Numbers&) {
  VisionTransformer trained(config(), 1);
  const digits::Digits train = digits::draw_digits(0, 6000);
  AdamW optimiser(parameters(trained), {});
  const Schedule schedule{.rate = 0.005, .floor = 0.0005, .warmup = 50, .decay = 3000};
  pocket::train(optimiser, {.steps = 3000, .schedule = schedule}, [&](int step) {
    const auto batch = digits::random_digits(train, 16, {1, static_cast<std::uint32_t>(step)});
    return cross_entropy(trained(batch.images), batch.labels);
  });
  return live::weights_of(trained);
}
#endif

/// Loads a model's weights.
Numbers start(const Numbers& in) {
  model = std::make_unique<VisionTransformer>(config());
  live::set_weights(*model, in);
  return {};
}

/// The class token's weights in the last layer, the mean of all heads: itself, then the patches.
Tensor class_weights(const Tensor& image) {
  const Tensor patches = model->embed(patchify(image, model->config.patch));
  Tensor x =
      model->encoder.positions.embed(concat({reshape(model->class_token, {1, 1, 32}), patches}, 1));
  const auto& layers = model->encoder.layers;
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) x = layers[i](x);
  const Tensor y = layers.back().ln_1(x);
  const auto& attention = layers.back().attn;
  const Tensor weights = attention_weights(split_heads(attention.query(y), attention.num_heads),
                                           split_heads(attention.key(y), attention.num_heads));
  return mean(slice(weights, 2, 0, 1), 1);
}

/// The pixels of an image, the probability of each digit, and the class token's weights.
Numbers seen(const Tensor& image) {
  const NoGrad no_grad;
  Numbers all;
  for (const Tensor& part : {image, softmax((*model)(image)), class_weights(image)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Reads strokes: the places x, y of each in pixels, followed by a -1. The pen is 1.6 pixels wide
/// and leaves grey at the edges, as in digits.h.
Numbers read(const Numbers& in) {
  Tensor image({1, digits::kSide, digits::kSide});
  for (Index i = 0; i < image.size(); ++i) {
    const digits::Point pixel{double(i % digits::kSide) + 0.5, double(i / digits::kSide) + 0.5};
    double nearest = 1e9;
    for (std::size_t k = 0, begin = 0; k < in.size(); ++k) {
      if (in[k] == -1) {
        begin = k + 1;
      } else if ((k - begin) % 2 == 1) {
        const digits::Point here{in[k - 1], in[k]};
        const digits::Point before = k - begin > 2 ? digits::Point{in[k - 3], in[k - 2]} : here;
        nearest = std::min(nearest, digits::distance(pixel, before, here));
      }
    }
    image.mutable_data()[i] = Scalar(0.9 * std::clamp(0.8 + 0.5 - nearest, 0.0, 1.0));
  }
  return seen(image);
}

/// Reads held-out image number in[0]. The answer ends with its digit.
Numbers example(const Numbers& in) {
  const digits::Digits one = digits::draw_digits(6000 + Index(in[0]), 1);
  Numbers all = seen(one.images);
  all.push_back(*one.labels.data());
  return all;
}

const live::Piece piece("digit", {
#ifndef __EMSCRIPTEN__
                                     {"make", make},
#endif
                                     {"start", start},
                                     {"read", read},
                                     {"example", example}});

}  // namespace
