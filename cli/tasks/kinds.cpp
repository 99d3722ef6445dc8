#include "cli/tasks/kinds.h"

#include <algorithm>

#include "autograd/check.h"
#include "cli/tasks/examples.h"
#include "nn/files/tokenizer_files.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// These settings, with the default data if they name none.
Settings with_data(Settings settings, const std::string& standard) {
  settings.data = settings.data.empty() ? standard : settings.data;
  return settings;
}

}  // namespace

const std::vector<TaskKind>& task_kinds() {
  static const std::vector<TaskKind> kinds = {prompts_kind(), bert_kind(), classifier_kind(),
                                              translator_kind(), vision_kind()};
  return kinds;
}

const TaskKind& task_kind(ModelKind model) {
  return *std::ranges::find(task_kinds(), model, &TaskKind::model);
}

Settings defaults_of(ModelKind model) {
  Settings s;
  s.kind = model;
  s.tokenizer = "word";
  s.out_dir = std::string("out-") + name_of(model);
  s.model.n_layer = 2;
  s.model.n_head = 4;
  s.model.n_embd = 128;
  s.model.n_inner = 256;
  s.model.n_positions = 64;
  s.model.dropout = Scalar(0.1);
  s.model.bias = true;
  s.model.activation = Activation::kGelu;
  s.model.position = Position::kSinusoidal;
  s.recipe.batch_size = 64;
  s.recipe.max_iters = 1000;
  s.recipe.schedule = {.rate = 2e-3, .floor = 2e-4, .warmup = 50, .decay = 1000};
  s.recipe.adamw = {.beta1 = 0.9, .beta2 = 0.98, .weight_decay = 0.01};
  s.recipe.eval_interval = 250;
  s.recipe.eval_iters = 10;
  task_kind(model).defaults(s);
  return s;
}

std::unique_ptr<Task> make_task(const Settings& settings, const fs::path& checkpoint) {
  const TaskKind& kind = task_kind(settings.kind);
  return with_line_numbers(
      settings.data, [&] { return kind.make(with_data(settings, kind.sets.front()), checkpoint); });
}

TrainOptions teaching_recipe(ModelKind model) {
  const TaskKind& kind = task_kind(model);
  check(kind.teaching_recipe != nullptr, "finetune: needs a bert or a gpt, got a ", name_of(model));
  return kind.teaching_recipe();
}

std::unique_ptr<Task> make_taught(const Settings& settings, const fs::path& checkpoint) {
  const TaskKind& kind = task_kind(settings.kind);
  return with_line_numbers(settings.data, [&] {
    return kind.teach(with_data(settings, kind.sets.front()), checkpoint);
  });
}

Settings settings_of(const fs::path& checkpoint) {
  Settings settings;
  settings.kind = kind_of_checkpoint(checkpoint);
  const TaskKind& kind = task_kind(settings.kind);
  kind.take_sizes(settings, checkpoint);
  if (kind.has_tokens) {
    const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(checkpoint);
    settings.tokenizer = tokenizer->name();
    settings.vocab_size = tokenizer->vocab_size();
  }
  return settings;
}

bool names_files(const std::string& data) {
  return !data.empty() && std::ranges::none_of(task_kinds(), [&](const TaskKind& kind) {
    return std::ranges::find(kind.sets, data) != kind.sets.end();
  });
}

std::string absolute_data(const std::string& data) {
  if (!names_files(data)) {
    return data;
  }
  std::string all;
  for (std::size_t begin = 0; begin <= data.size();) {
    const std::size_t end = std::min(data.find(',', begin), data.size());
    all += (all.empty() ? "" : ",") +
           fs::absolute(data.substr(begin, end - begin)).lexically_normal().string();
    begin = end + 1;
  }
  return all;
}

}  // namespace gradus
