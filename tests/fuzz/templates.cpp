/// @file
/// Chat templates. An input has a template, a text for the messages and one for a variable.
#include "nn/text/chat_template.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

void fuzz(std::string_view input) {
  auto parts = parts_of(input, {"template", "text", "name"});
  const std::string &text = parts["text"], &name = parts["name"];
  std::optional<ChatTemplate> chat;
  if (!accepts([&] {
        chat.emplace(parts["template"], std::map<std::string, std::string>{{"bos_token", name},
                                                                           {"eos_token", "</s>"}});
      })) {
    return;
  }
  const std::vector<std::vector<ChatMessage>> chats = {
      {{"user", text}},
      {{"system", "Be brief."}, {"user", text}, {"assistant", name}, {"user", "And then?"}},
      {{"assistant", text}, {"tool", name}},
      {}};
  for (const auto& messages : chats) {
    MarkedText first, second;
    if (!accepts([&] { first = chat->render(messages, 86400); })) continue;
    holds(
        accepts([&] { second = chat->render(messages, 86400); }) && first.bytes() == second.bytes(),
        "the same conversation gives the same text");
    for (std::size_t i = 0; i < first.bytes().size(); ++i) {
      holds(first.is_markup(i, i + 1) == second.is_markup(i, i + 1), "and the same markup");
    }
  }
  // A message whose only character is nowhere in the template stays plain text.
  const std::string rare = "\x01";
  if (input.find(rare) != std::string_view::npos || input.find('\\') != std::string_view::npos)
    return;
  MarkedText out;
  const std::vector<ChatMessage> messages = {{"user", rare}};
  if (!accepts([&] { out = chat->render(messages, 86400); })) return;
  for (std::size_t i = 0; (i = out.bytes().find(rare, i)) != std::string::npos; ++i) {
    holds(!out.is_markup(i, i + 1), "the text of a message is never markup");
  }
}

}  // namespace gradus
