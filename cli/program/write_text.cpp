#include "cli/program/write_text.h"

#include <algorithm>

#include "nn/text/utf8.h"

namespace gradus {
namespace {

/// Collects a text token by token, and returns the part that may be shown.
class ComingText {
 public:
  /// The text ends before `end`, unless that is empty.
  explicit ComingText(const std::string& end) : end_(&end) {}

  /// Adds the bytes of a token and returns the whole characters that certainly come before `end`.
  std::string push(std::string_view bytes) {
    held_ += characters_.push(bytes);
    const std::size_t found = end_->empty() ? std::string::npos : held_.find(*end_);
    if (found != std::string::npos) {
      held_.resize(found);
      has_ended_ = true;
      return "";
    }
    // All is certain except the longest tail that `end` begins with.
    std::size_t tail = std::min(held_.size(), end_->empty() ? 0 : end_->size() - 1);
    while (tail > 0 && !end_->starts_with(std::string_view(held_).substr(held_.size() - tail))) {
      --tail;
    }
    const std::string certain = held_.substr(0, held_.size() - tail);
    held_.erase(0, certain.size());
    return certain;
  }

  /// Returns the rest, after the last token.
  std::string rest() { return held_ + (has_ended_ ? "" : characters_.flush()); }
  bool has_ended() const { return has_ended_; }

 private:
  const std::string* end_;
  Utf8Buffer characters_;
  std::string held_;  // may turn out to be the start of `end`
  bool has_ended_ = false;
};

}  // namespace

Opening opening_for(const Tokenizer& tokenizer, bool is_bundled) {
  if (tokenizer.rules() != nullptr && tokenizer.rules()->begin) return {"", "", {}};
  if (is_bundled) {
    return {"\n\n\n", "\n\n\n", {.temperature = 0.6, .top_p = 0.9}};
  }
  try {
    tokenizer.encode("\n");
    return {};
  } catch (const TextError&) {
    return {tokenizer.piece(0), "", {}};
  }
}

std::string shown_piece(const Tokenizer& tokenizer, std::int32_t token) {
  const bool is_hidden = tokenizer.rules() != nullptr && tokenizer.is_special(token);
  return is_hidden ? "" : tokenizer.piece(token);
}

void write_text(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                Index count, const SampleOptions& options, const RandomKey& key,
                const std::string& end, const std::function<bool(std::string_view)>& sink) {
  write_texts(model, tokenizer, prompt, count, options, std::span(&key, 1), end,
              [&](std::size_t, std::string_view piece) { return sink(piece); });
}

void write_texts(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                 Index count, const SampleOptions& options, std::span<const RandomKey> keys,
                 const std::string& end,
                 const std::function<bool(std::size_t, std::string_view)>& sink) {
  std::vector<ComingText> texts(keys.size(), ComingText(end));
  generate_batch(model, with_begin(tokenizer, tokenizer.encode(prompt)), count, options, keys,
                 [&](std::size_t i, std::int32_t token) {
                   if (ends_text(tokenizer, token)) return false;
                   const std::string certain = texts[i].push(shown_piece(tokenizer, token));
                   return !texts[i].has_ended() && (certain.empty() || sink(i, certain));
                 });
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string rest = texts[i].rest();
    if (!rest.empty()) {
      sink(i, rest);
    }
  }
}

}  // namespace gradus
