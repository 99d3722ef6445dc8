/// @file
/// Classifiers of images.

#include <algorithm>
#include <cmath>

#include "autograd/check.h"
#include "cli/program/display.h"
#include "cli/tasks/examples.h"
#include "cli/tasks/kinds.h"
#include "nn/data/items.h"
#include "nn/data/readers.h"
#include "nn/examples/glyphs.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/vision_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr Index kDigits = 10000, kHeldOutDigits = 1000;

/// The recipe for the drawn digits.
void vision_defaults(Settings& settings) {
  settings.model.n_embd = 64;
  settings.model.n_inner = 128;
  settings.model.position = Position::kLearned;
  settings.recipe.batch_size = 64;
  settings.recipe.max_iters = 3000;
}

struct Images {
  LabelledImages train, held_out;
};

LabelledImages read_images(const std::string& images, const std::string& labels) {
  auto [read, numbers] = read_idx_pair(images, labels);
  return {std::move(read), std::move(numbers)};
}

/// `count` images in this order, from its place `first` on. The order is drawn, because files are
/// often sorted by label.
LabelledImages drawn(const LabelledImages& all, const std::vector<Index>& order, Index first,
                     Index count) {
  return gathered(all, {order.begin() + first, order.begin() + first + count});
}

/// The drawn digits, or the files IMAGES,LABELS, of which a tenth is held out, or these two files
/// and two held-out files.
Images images_of(const std::string& name) {
  if (name == "digits") {
    return {draw_digits(kDigits, kDataSeed), draw_digits(kHeldOutDigits, kDataSeed, kDigits)};
  }
  std::vector<std::string> files(1);
  for (const char c : name) {
    if (c == ',') {
      files.emplace_back();
    } else {
      files.back() += c;
    }
  }
  check(files.size() == 2 || files.size() == 4, "--data=", name,
        ": must be digits, IMAGES,LABELS or IMAGES,LABELS,HELD_OUT_IMAGES,HELD_OUT_LABELS");
  LabelledImages all = read_images(files[0], files[1]);
  if (files.size() == 4) {
    return {std::move(all), read_images(files[2], files[3])};
  }
  const Index count = all.labels.size(), held_out = std::llround(kHeldOut * count);
  check(held_out > 0, files[0], ": needs at least 5 images, as a tenth is held out, got ", count);
  const std::vector<Index> order = permutation(count, {.seed = kDataSeed});
  return {drawn(all, order, held_out, count - held_out), drawn(all, order, 0, held_out)};
}

VisionModel new_vision_model(const Settings& settings, const std::string& name,
                             const Images& images) {
  std::int32_t last = 0;
  for (const IndexTensor& labels : {images.train.labels, images.held_out.labels}) {
    last = std::max(last, labels.size() > 0 ? *std::ranges::max_element(labels) : 0);
  }
  const auto [low, high] = std::ranges::minmax_element(images.train.labels);
  check(*low != *high, name, ": needs at least 2 labels, got only ", *low);
  std::vector<std::string> labels;
  for (std::int32_t label = 0; label <= last; ++label) {
    labels.push_back(std::to_string(label));
  }
  VisionTransformer model({.height = images.train.images.size(1),
                           .width = images.train.images.size(2),
                           .patch = settings.patch,
                           .n_labels = std::ssize(labels),
                           .n_layer = settings.model.n_layer,
                           .layer = layer_options(settings)},
                          settings.recipe.seed);
  return {std::move(model), std::move(labels)};
}

std::unique_ptr<Task> vision_task(const Settings& settings, const fs::path& checkpoint) {
  const std::string& name = settings.data;
  Images images = images_of(name);
  const Index count = images.train.labels.size();
  if (settings.examples > 0 && settings.examples < count) {
    images.train =
        drawn(images.train, permutation(count, {.seed = kDataSeed}), 0, settings.examples);
  }
  VisionModel classifier =
      checkpoint.empty() ? new_vision_model(settings, name, images) : load_vision_model(checkpoint);
  return std::make_unique<VisionTask>(std::move(classifier), name, std::move(images.train),
                                      std::move(images.held_out));
}

void take_sizes_of_vision(Settings& settings, const fs::path& checkpoint) {
  const VisionConfig config = load_vision_config(checkpoint);
  take_layer_options(settings, config.layer, config.n_layer);
  settings.patch = config.patch;
}

}  // namespace

TaskKind vision_kind() {
  return {.model = ModelKind::kVision,
          .sets = {"digits"},
          .defaults = vision_defaults,
          .take_sizes = take_sizes_of_vision,
          .make = vision_task,
          .has_tokens = false};
}

}  // namespace gradus
