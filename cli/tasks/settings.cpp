#include "cli/tasks/settings.h"

#include <bit>

#include "autograd/check.h"
#include "cli/tasks/texts.h"
#include "nn/names.h"

namespace gradus {

unsigned kind_of_run(const Settings& settings) {
  return settings.kind == ModelKind::kGpt && !settings.has_prompts ? kOnText
                                                                   : on_examples(settings.kind);
}

std::optional<ModelKind> only_kind(unsigned runs) {
  if (!std::has_single_bit(runs) || runs == kOnText) {
    return std::nullopt;
  }
  return static_cast<ModelKind>(std::countr_zero(runs));
}

void check_owners(const Flags& flags, ModelKind kind) {
  for (const std::string& name : flags.given()) {
    const ModelKind owner = only_kind(flags.traits(name).of).value_or(kind);
    detail::check(owner == kind, name, ": only for a ", name_of(owner), ", got a ", name_of(kind),
                  " (leave it out)");
  }
}

Scalar beta_of(const Settings& settings) {
  constexpr Scalar kUsualBeta = Scalar(0.1);
  return settings.dpo == 0 && settings.data == kPreferences ? kUsualBeta : settings.dpo;
}

bool reads_tales(const Settings& settings) {
  return or_default_text(settings.texts) == or_default_text({});
}

LayerOptions layer_options(const Settings& settings) {
  const GptConfig& m = settings.model;
  return {.d_model = m.n_embd,
          .num_heads = m.n_head,
          .d_ff = m.n_inner,
          .dropout = m.dropout,
          .activation = m.activation,
          .norm = m.norm,
          .norm_place = settings.norm_place,
          .epsilon = m.layer_norm_epsilon,
          .position = m.position,
          .max_length = m.n_positions,
          .bias = m.bias};
}

void take_layer_options(Settings& settings, const LayerOptions& layer, int n_layer) {
  GptConfig& m = settings.model;
  m.n_layer = n_layer;
  m.n_embd = layer.d_model;
  m.n_head = layer.num_heads;
  m.n_inner = layer.d_ff;
  m.dropout = layer.dropout;
  m.activation = layer.activation;
  m.norm = layer.norm;
  settings.norm_place = layer.norm_place;
  m.layer_norm_epsilon = layer.epsilon;
  m.position = layer.position;
  m.n_positions = layer.max_length;
  m.bias = layer.bias;
}

}  // namespace gradus
