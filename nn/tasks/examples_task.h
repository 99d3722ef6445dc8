/// @file
/// The part that tasks on a named set of examples share.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "autograd/check.h"
#include "nn/train/task.h"

namespace gradus {

/// @addtogroup tasks
/// @{

/// A Task that owns its model and has a name for its examples. A subclass implements
/// loss_of_rows(), tokens_in(), and the functions that show and score.
///
/// Parts is a struct with a `model`, which has the parameters, and with everything that using it
/// needs, such as a tokenizer. The function `save_model(folder, model)` beside it writes the folder
/// from which it is loaded.
/// @code
/// const VisionModel digits{VisionTransformer(VisionConfig{}, 1),
///                          {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}};
/// VisionTask task(digits, "digits", draw_digits(100, 1), draw_digits(10, 1, 100));
/// task.model().labels.size();  // 10
/// task.describe().substr(0, 31);  // "digits: 100 images to train on,"
/// @endcode
template <class Parts>
class ExamplesTask : public Task {
 public:
  /// @param name of the data set, shown to the user.
  ExamplesTask(Parts model, std::string name) : model_(std::move(model)), name_(std::move(name)) {}

  /// The parameters and buffers of the model.
  std::vector<NamedTensor> parameters() final { return gradus::parameters(model_.model); }
  /// The mean loss of a batch of examples, [].
  Tensor loss(Split split, int batch_size, const RandomKey& key) final {
    return this->loss_of_rows(split, batch_size, key, {0, batch_size}).mean;
  }
  /// Writes the model into a folder, from which it can be loaded.
  void save(const std::filesystem::path& folder) final { save_model(folder, model_); }

  const Parts& model() const { return model_; }  ///< the model in training

 protected:
  /// The beginning of describe(): the name, and the number of examples in each part.
  /// @param what the word for the examples: "pairs".
  std::string counted_as(const std::string& what, auto train, auto held_out) const {
    return detail::text(name_, ": ", train, " ", what, " to train on, ", held_out, " held out");
  }

  Parts model_;       ///< the model in training, and all that using it needs
  std::string name_;  ///< the data set's name
};

/// A few lines of demonstrate(): an input, the model's answer below it, and the expected answer if
/// it differs. Answers begin with a blank.
std::string shown_answer(const std::string& input, const std::string& answer,
                         const std::string& expected);

/// @}

}  // namespace gradus
