/// @file
/// Trains a VisionTransformer to label images.
#pragma once

#include <vector>

#include "nn/data/items.h"
#include "nn/models/vision_transformer.h"
#include "nn/tasks/examples_task.h"
#include "nn/tasks/prediction.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A trained classifier of images.
struct VisionModel {
  VisionTransformer model;          ///< with the images' size
  std::vector<std::string> labels;  ///< their names, in order
};

/// Reads a classifier of images from a checkpoint folder.
/// @throws std::runtime_error naming the file and the missing or wrong part.
VisionModel load_vision_model(const std::filesystem::path& folder);
/// Writes a classifier of images into a folder, as load_vision_model() reads it.
/// @throws std::runtime_error naming the file and the system's reason.
void save_model(const std::filesystem::path& folder, const VisionModel& classifier);

/// Classifies images [N, height, width], any number of them.
/// @throws std::invalid_argument if they have another size.
std::vector<Prediction> classify(const VisionModel& classifier, const Tensor& images);

/// Images of these numbers, and their labels.
LabelledImages gathered(const LabelledImages& all, const std::vector<std::size_t>& numbers);

/// Images number `first` to first + count - 1.
/// @throws std::invalid_argument if there are not that many.
LabelledImages part_of(const LabelledImages& images, Index first, Index count);

/// Teaches a vision transformer the labels of images.
/// @code
/// const VisionModel digits{VisionTransformer(VisionConfig{}, 1),
///                              {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}};
/// VisionTask task(digits, "digits", draw_digits(100, 1), draw_digits(10, 1, 100));
/// task.tokens_in(2);  // 34
/// classify(task.model(), draw_digits(1, 7).images)[0].probabilities.size();  // 10
/// @endcode
class VisionTask final : public ExamplesTask<VisionModel> {
 public:
  /// @param name of the data set, shown to the user.
  /// @throws std::invalid_argument for images of another size than the model's, labels that it does
  /// not have, or if there are no images to train on or none held out.
  VisionTask(VisionModel classifier, std::string name, LabelledImages train,
             LabelledImages held_out);

  MeanLoss loss_of_rows(Split split, int batch_size, const RandomKey& key,
                        const RowRange& rows) override;
  /// Patches, and the class token of each image.
  Index tokens_in(int batch_size) const override;
  /// The accuracy on all held-out images.
  std::vector<Score> scores() override;
  double scoring_examples() const override;
  std::string describe() const override;
  /// The first held-out images as text, next to each other, with their predicted labels.
  std::string demonstrate() override;

 private:
  LabelledImages train_, held_out_;
};

/// @}

}  // namespace gradus
