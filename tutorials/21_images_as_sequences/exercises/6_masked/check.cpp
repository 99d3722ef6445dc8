#include "tutorials/21_images_as_sequences/digits.h"
#include "tutorials/21_images_as_sequences/exercises.h"
#include "tutorials/common/compare.h"

using namespace digits;
using gradus::as_library, gradus::green, gradus::red;

namespace {

void check_hide(Index images, Index patches, Index count) {
  const std::string what = gradus::detail::text(count, " of ", patches, " patches hidden");
  const Tensor h = hide(images, patches, count, {.seed = 1});
  if (h.shape() != Shape{images, patches}) red(what, ": ", gradus::shape_got(h));
  std::vector<Index> times(patches);
  Index as_the_first = 0;
  for (Index i = 0; i < images; ++i) {
    const Scalar* row = h.data() + i * patches;
    for (Index n = 0; n < patches; ++n) {
      if (row[n] != 0 && row[n] != 1) red(what, ": got a number other than 0 and 1");
      times[n] += row[n] == 1;
    }
    const Index ones = std::count(row, row + patches, Scalar(1));
    if (ones != count) red(what, ": image ", i, " has ", ones, " hidden");
    as_the_first += std::equal(row, row + patches, h.data());
  }
  if (as_the_first > images / 2) red(what, ": the same patches in every image");
  if (std::ranges::equal(h, hide(images, patches, count, {.seed = 2}))) {
    red(what, ": the same for another key");
  }
  if (!std::ranges::equal(h, hide(images, patches, count, {.seed = 1}))) {
    red(what, ": not the same for the same key");
  }
  const double mean = double(images * count) / double(patches);
  for (Index n = 0; n < patches; ++n) {
    if (std::abs(double(times[n]) - mean) < 6 * std::sqrt(mean)) continue;
    red(what, ": patch ", n, " is hidden in ", times[n], " of ", images, " images");
  }
  green(what);
}

/// By definition: the sequence patch by patch, the image pixel by pixel.
Tensor right(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  const Index b = images.size(0), p = model.config.patch, height = images.size(1),
              width = images.size(2), n = hidden.size(1);
  const Tensor vectors = model.embed(patchify(images, p));
  const auto is_hidden = [&](Index i, Index k) { return hidden.data()[i * n + k] > 0; };
  std::vector<Tensor> rows;
  for (Index i = 0; i < b; ++i) {
    std::vector<Tensor> row;
    for (Index k = 0; k < n; ++k) {
      const Tensor seen = reshape(slice(slice(vectors, 0, i, i + 1), 1, k, k + 1), {1, -1});
      row.push_back(is_hidden(i, k) ? model.unseen : seen);
    }
    rows.push_back(reshape(concat(row, 0), {1, n, -1}));
  }
  const Tensor drawn = model.head(model.encoder(concat(rows, 0)));
  Tensor from_model({b, height, width});  // 1 for pixels of hidden patches
  for (Index i = 0; i < from_model.size(); ++i) {
    const Index y = i / width % height, k = y / p * (width / p) + i % width / p;
    from_model.mutable_data()[i] = is_hidden(i / width / height, k);
  }
  const Tensor grid = reshape(drawn, {b, height / p, width / p, p, p});
  const Tensor whole = reshape(permute(grid, {0, 1, 3, 2, 4}), {b, height, width});
  return images * (1 - from_model) + whole * from_model;
}

Tensor right_error(const MaskedAutoencoder& model, const Tensor& images, const Tensor& hidden) {
  const Tensor d = right(model, images, hidden) - images;
  return sum(d * d) / (sum(hidden).item() * Scalar(model.config.patch * model.config.patch));
}

void check_model(Index b, VisionConfig config, Scalar scale = 1) {
  const Index p = config.patch, n = config.height * config.width / (p * p);
  const std::string what =
      gradus::detail::text(b, " images of ", config.height, " x ", config.width, ", patches of ", p,
                           scale > 1 ? ", large numbers" : "");
  MaskedAutoencoder model(config, 3);
  model.unseen = normal(model.unseen.shape(), {.seed = 9}).set_requires_grad();
  const Tensor images = normal({b, config.height, config.width}, {.seed = 6}, 0, scale);
  Tensor hidden({b, n});
  for (Index i = 0; i < b * n; ++i) hidden.mutable_data()[i] = (i * i + i / n) % 5 % 2 == 0;
  const Tensor got = gradus::unchanged<Tensor>(what, {images, hidden, model.unseen},
                                               [&] { return completed(model, images, hidden); });
  gradus::expect(what, as_library(got), as_library(right(model, images, hidden)), "",
                 scale > 1 ? 1e-2 : 2e-4);
  if (scale > 1) return;
  compare(
      "the error of " + what, parameters(model),
      [&] { return reshape(hidden_error(model, images, hidden), {}); },
      [&] { return right_error(model, images, hidden); });
}

/// Trains, and shows the result: two images, each seen, drawn and true.
void check_training() {
  VisionConfig config{.height = kSide, .width = kSide, .patch = 4};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = Position::kLearned};
  MaskedAutoencoder model(config, 1);
  const Digits known = draw_digits(0, 1000), other = draw_digits(6000, 100);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 40, .decay = 400};
  train(optimiser, {.steps = 400, .schedule = schedule}, [&](int step) {
    const RandomKey key{.seed = 1, .step = static_cast<std::uint32_t>(step)};
    return hidden_error(model, random_digits(known, 8, key).images, hide(8, 16, 8, key));
  });
  const NoGrad no_grad;
  const Tensor hidden = hide(100, 16, 8, {.seed = 9});
  const Tensor drawn = completed(model, other.images, hidden);
  const Scalar grey = mean(known.images).item();
  double error = 0, of_grey = 0;
  for (Index i = 0; i < drawn.size(); ++i) {
    const Scalar p = other.images.data()[i];
    error += (drawn.data()[i] - p) * (drawn.data()[i] - p);
    const Index patch = i / 64 % 4 * 4 + i / 4 % 4;
    of_grey += hidden.data()[i / 256 * 16 + patch] * (grey - p) * (grey - p);
  }
  if (!(error < 0.9 * of_grey)) red("after 400 steps no better than plain grey");
  green("after 400 steps, new images: a smaller error than plain grey");
  std::printf("\n");
  for (int image = 0; image < 2; ++image) {
    for (const char* name : {"seen", "drawn", "true"}) std::printf("%-19s", name);
  }
  for (Index y = 0; y < kSide; y += 2) {  // a letter is as high as two pixels
    std::printf("\n");
    for (const Index image : {0, 2}) {
      for (const char kind : {'s', 'd', 't'}) {
        for (Index x = 0; x < kSide; ++x) {
          const Tensor& from = kind == 'd' ? drawn : other.images;
          const Scalar* at = from.data() + (image * kSide + y) * kSide + x;
          const double ink = std::clamp(double(at[0] + at[kSide]) / 2, 0.0, 1.0);
          const bool gone = kind == 's' && hidden.data()[image * 16 + y / 4 * 4 + x / 4] > 0;
          std::printf("%c", gone ? '?' : " .:-=+*#%@"[std::lround(9 * ink)]);
        }
        std::printf("   ");
      }
    }
  }
  std::printf("\n");
}

}  // namespace

CHECK_ANSWER() {
  check_hide(400, 16, 12);
  check_hide(300, 6, 2);
  VisionConfig config{.height = 4, .width = 6, .patch = 2, .n_layer = 1};
  config.layer = {.d_model = 8, .num_heads = 2, .dropout = 0, .position = Position::kLearned};
  check_model(2, config);
  config.height = 9, config.width = 6, config.patch = 3, config.n_layer = 2;
  check_model(3, config);
  check_model(2, config, 1e4);
  check_training();
}
