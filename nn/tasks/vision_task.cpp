#include "nn/tasks/vision_task.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/shape.h"
#include "nn/examples/glyphs.h"
#include "nn/files/checkpoint.h"
#include "nn/files/model_configs.h"
#include "nn/tasks/rows.h"

namespace gradus {
using namespace detail;
namespace {

constexpr Index kImagesAtOnce = 100;  // images that are classified at once

void check_images(const LabelledImages& given, const char* what, const VisionModel& of) {
  const VisionConfig& config = of.model.config;
  check(given.images.rank() == 3 && given.images.size(0) >= 1 &&
            given.images.size(1) == config.height && given.images.size(2) == config.width,
        what, ": needs images [N, ", config.height, ", ", config.width, "], got ",
        given.images.shape());
  check(given.labels.shape() == Shape{given.images.size(0)}, what, ": has ", given.images.size(0),
        " images and labels ", given.labels.shape());
  for (const std::int32_t label : given.labels) {
    check(label >= 0 && label < std::ssize(of.labels), what, ": labels must be in [0, ",
          of.labels.size(), "), got ", label);
  }
}

/// Texts of the same number of lines beside each other, two blanks apart.
std::string side_by_side(const std::vector<std::string>& texts) {
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    std::istringstream in(text);
    std::size_t i = 0, width = 0;
    for (std::string line; std::getline(in, line); ++i) {
      lines.resize(std::max(lines.size(), i + 1));
      lines[i] += line;
      width = std::max(width, lines[i].size());
    }
    for (std::string& line : lines) {
      line.resize(width + 2, ' ');
    }
  }
  std::string all;
  for (const std::string& line : lines) {
    all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return all;
}

}  // namespace

LabelledImages gathered(const LabelledImages& all, const std::vector<std::size_t>& numbers) {
  const Index size = all.images.size(1) * all.images.size(2);
  LabelledImages some{Tensor({std::ssize(numbers), all.images.size(1), all.images.size(2)}),
                      IndexTensor({std::ssize(numbers)})};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto from = static_cast<Index>(numbers[i]), to = static_cast<Index>(i);
    std::copy_n(all.images.data() + from * size, size, some.images.mutable_data() + to * size);
    some.labels.mutable_data()[to] = all.labels.data()[from];
  }
  return some;
}

VisionModel load_vision_model(const std::filesystem::path& folder) {
  const VisionConfig config = load_vision_config(folder);
  std::vector<std::string> labels = load_labels(folder);
  check_labels(folder.string(), labels, config.n_labels);
  VisionModel classifier{VisionTransformer(config), std::move(labels)};
  load_parameters(folder, parameters(classifier.model));
  return classifier;
}

void save_model(const std::filesystem::path& folder, const VisionModel& classifier) {
  save_parameters(folder, parameters(classifier.model));
  save_config(folder, classifier.model.config, classifier.labels);
}

std::vector<Prediction> classify(const VisionModel& classifier, const Tensor& images) {
  const NoGrad no_grad;
  std::vector<Prediction> all;
  for (Index first = 0; first < images.size(0); first += kImagesAtOnce) {
    const Index count = std::min(kImagesAtOnce, images.size(0) - first);
    const Tensor some = slice(images, 0, first, first + count);
    for (Prediction& prediction : as_predictions(classifier.model(some))) {
      all.push_back(std::move(prediction));
    }
  }
  return all;
}

LabelledImages part_of(const LabelledImages& images, Index first, Index count) {
  const Index all = images.labels.size();
  check(first >= 0 && count >= 0 && first <= all && count <= all - first, "part_of: ", count,
        " images from number ", first, " on are not within the ", all, " images");
  std::vector<std::size_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), static_cast<std::size_t>(first));
  return gathered(images, numbers);
}

VisionTask::VisionTask(VisionModel classifier, std::string name, LabelledImages train,
                       LabelledImages held_out)
    : ExamplesTask(std::move(classifier), std::move(name)),
      train_(std::move(train)),
      held_out_(std::move(held_out)) {
  check_images(train_, "images to train on", model_);
  check_images(held_out_, "held-out images", model_);
}

MeanLoss VisionTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                  const RowRange& part) {
  const LabelledImages& all = split == Split::kVal ? held_out_ : train_;
  const auto count = static_cast<std::size_t>(all.labels.size());
  const LabelledImages batch = gathered(all, rows_of(sample_indices(key, batch_size, count), part));
  profile_mark("batch");
  return {cross_entropy(model_.model(batch.images), batch.labels), static_cast<double>(part.count)};
}

Index VisionTask::tokens_in(int batch_size) const {
  return batch_size * (model_.model.config.patches() + 1);
}

std::vector<Score> VisionTask::scores() {
  return {{"accuracy", accuracy(classify(model_, held_out_.images),
                                {held_out_.labels.begin(), held_out_.labels.end()})}};
}

double VisionTask::scoring_examples() const { return static_cast<double>(held_out_.labels.size()); }

std::string VisionTask::describe() const {
  const VisionConfig& config = model_.model.config;
  return text(counted_as("images", train_.labels.size(), held_out_.labels.size()), ", of ",
              config.height, " x ", config.width, " in patches of ", config.patch);
}

std::string VisionTask::demonstrate() {
  constexpr Index kShown = 3;
  const LabelledImages some = part_of(held_out_, 0, std::min(kShown, held_out_.labels.size()));
  const std::vector<Prediction> predictions = classify(model_, some.images);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const auto number = static_cast<Index>(i);
    const int right = some.labels.data()[number];
    const auto name = [&](int label) { return model_.labels[static_cast<std::size_t>(label)]; };
    std::string caption = name(predictions[i].label);
    if (predictions[i].label != right) {
      caption += " (expected: " + name(right) + ")";
    }
    texts.push_back(image_as_text(some.images, number) + caption);
  }
  return side_by_side(texts);
}

}  // namespace gradus
