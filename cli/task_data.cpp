#include "cli/task_data.h"

#include "nn/data/corpus.h"

namespace gradus {

std::shared_ptr<const Tokenizer> tokenizer_for(const Settings& settings,
                                               const std::filesystem::path& checkpoint,
                                               const std::string& name, const std::string& lines) {
  if (!checkpoint.empty()) {
    return load_tokenizer(checkpoint);
  }
  Text text;
  text.append(name, lines);
  return learn_tokenizer(settings.tokenizer, text, settings.vocab_size);
}

}  // namespace gradus
