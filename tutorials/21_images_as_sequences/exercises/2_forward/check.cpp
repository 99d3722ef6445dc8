#include "pocket/vision.h"
#include "tutorials/common/compare.h"

using namespace pocket;

namespace {

Tensor expected_of(const VisionTransformer& model, const Tensor& images) {
  const Index b = images.size(0), channels = model.config.layer.d_model;
  const Tensor patches = model.embed(patchify(images, model.config.patch));
  const Tensor token = reshape(model.class_token, {1, 1, channels}) + zeros({b, 1, channels});
  const Tensor y = model.encoder(concat({token, patches}, 1));
  return model.head(reshape(slice(y, 1, 0, 1), {b, channels}));
}

void check_model(const std::string& what, const VisionConfig& config, Index b, Scalar scale = 1) {
  VisionTransformer model(config, 5);
  model.class_token = (model.class_token * 40).detach().set_requires_grad();
  model.head.bias = normal(model.head.bias.shape(), {.seed = 8}).set_requires_grad();
  Tensor images = normal({b, config.height, config.width}, {.seed = 6}, 0, scale);
  images.set_requires_grad();
  std::vector<NamedTensor> leaves = parameters(model);
  leaves.push_back({"the images", images});
  compare(
      what, leaves, [&] { return model(images); }, [&] { return expected_of(model, images); });
}

}  // namespace

CHECK_ANSWER() {
  VisionConfig config{.height = 4, .width = 6, .patch = 2, .n_labels = 3, .n_layer = 2};
  config.layer = {.d_model = 8, .num_heads = 2, .dropout = 0, .position = Position::kLearned};
  check_model("three images, six patches", config, 3);
  check_model("one image", config, 1);
  check_model("large numbers", config, 2, 1e4);
  config.height = 9, config.patch = 3, config.n_labels = 7, config.n_layer = 1;
  config.layer.d_model = 12, config.layer.num_heads = 3;
  config.layer.norm_place = NormPlace::kPost;
  check_model("another size, post-norm", config, 4);
  config.layer.position = Position::kSinusoidal;
  check_model("sinusoids", config, 2);
}
