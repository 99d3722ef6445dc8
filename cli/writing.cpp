#include "cli/writing.h"

#include "nn/text/utf8.h"

namespace gradus {

Opening opening_for(const Tokenizer& tokenizer, bool fables) {
  if (fables) {
    return {"\n\n\n", "\n\n\n"};
  }
  try {
    tokenizer.encode("\n");
    return {};
  } catch (const TextError&) {
    return {tokenizer.piece(0), ""};
  }
}

void write_text(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                Index count, const SampleOptions& options, const RandomKey& key,
                const std::string& end, const std::function<bool(std::string_view)>& sink) {
  Utf8Buffer characters;
  std::string held;  // what may turn out to be the start of `end`
  bool going = true;
  const auto hand_on = [&](const std::string& text) {
    held += text;
    const std::size_t found = end.empty() ? std::string::npos : held.find(end);
    if (found != std::string::npos) {
      held.resize(found);
      return false;
    }
    // All but the longest tail that `end` begins with is certain.
    std::size_t tail = std::min(held.size(), end.empty() ? 0 : end.size() - 1);
    while (tail > 0 && !end.starts_with(std::string_view(held).substr(held.size() - tail))) {
      --tail;
    }
    const std::string certain = held.substr(0, held.size() - tail);
    held.erase(0, certain.size());
    return certain.empty() || sink(certain);
  };
  generate(model, tokenizer.encode(prompt), count, options, key, [&](std::int32_t token) {
    return going = hand_on(characters.push(tokenizer.piece(token)));
  });
  const std::string rest = held + (going ? characters.flush() : "");
  if (!rest.empty()) {
    sink(rest);
  }
}

}  // namespace gradus
