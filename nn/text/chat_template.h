/// @file
/// Chat templates: how a model's messages become one text. Hugging Face's folders hold them in
/// tokenizer_config.json or chat_template.jinja, in the template language Jinja.
#pragma once

#include <ctime>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "nn/text/marked_text.h"
#include "nn/text/template_syntax.h"

namespace gradus {

/// @addtogroup text
/// @{

/// A message of a conversation.
struct ChatMessage {
  std::string role;  ///< "system", "user" or "assistant"
  std::string text;  ///< its text
};

/// A template that turns messages into the text that a model continues with its answer. The part of
/// Jinja that is evaluated renders conversations of Llama 2 and 3, Mistral, Qwen, TinyLlama and
/// others without tools. Everything else is an error, but only if the template gets there.
/// @code
/// const ChatTemplate chat(
///     "{% for m in messages %}<{{ m.role }}> {{ m.content | trim }} {% endfor %}<assistant>", {});
/// const std::vector<ChatMessage> messages = {{"user", " Hello!\n"}};
/// chat.render(messages, 0).bytes();  // "<user> Hello! <assistant>"
/// @endcode
class ChatTemplate {
 public:
  /// Parses a template. `names` are variables with texts, such as bos_token.
  /// @throws std::invalid_argument naming the part that is wrong or not supported
  explicit ChatTemplate(std::string_view source, std::map<std::string, std::string> names = {});

  /// Returns the text of a conversation, up to the answer that is expected. The texts of messages
  /// are plain text, and everything else is markup. `now` is the time for templates with a date.
  /// @throws std::invalid_argument with the template's own message, if it refuses the conversation,
  /// or naming the part that is not supported; or if the text is too long
  MarkedText render(std::span<const ChatMessage> messages, std::time_t now) const;

 private:
  std::vector<TemplateStatement> statements_;
  std::map<std::string, std::string> names_;
};

/// @}

}  // namespace gradus
