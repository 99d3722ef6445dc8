#include "cli/commands/chat.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <stdexcept>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "cli/program/unknown_words.h"
#include "cli/program/write_text.h"
#include "nn/text/chat_template.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

/// Puts the template's file before errors.
template <class Use>
auto with_template(const TextRules& rules, const Use& use) {
  try {
    return use();
  } catch (const std::invalid_argument& error) {
    fail("--chat: the chat template in ", rules.chat_file, " cannot be used: ", error.what(),
         " (leave out --chat to continue a plain text)");
  }
}

/// Whether a user types the lines at a terminal.
bool is_asked() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

/// Generates an answer, prints it while it is written, and returns it.
std::string answer(const Gpt& model, const Tokenizer& tokenizer,
                   const std::vector<std::int32_t>& given, const ChatRequest& request,
                   const RandomKey& key) {
  // The last token of the answer is not read, so it may be beyond the window.
  const Index room = model.config.n_positions - std::ssize(given) + 1;
  std::vector<std::int32_t> written;
  bool has_ended = false;
  Utf8Buffer characters;
  generate(model, given, std::min(request.count, room), request.options, key,
           [&](std::int32_t token) {
             has_ended = ends_text(tokenizer, token);
             if (has_ended) return false;
             if (tokenizer.is_special(token)) return true;
             written.push_back(token);
             std::string piece = tokenizer.piece(token);
             // A metaspace tokenizer leaves out a blank at the start.
             if (written.size() == 1) piece = tokenizer.decode(written);
             print(characters.push(piece));
             return true;
           });
  print(characters.flush() + "\n");
  if (!has_ended && room <= request.count) {
    note(text("the answer was cut off, since the model reads at most ", model.config.n_positions,
              " tokens"));
  }
  return tokenizer.decode(written);
}

}  // namespace

bool has_chat_template(const Tokenizer& tokenizer) {
  return tokenizer.rules() != nullptr && !tokenizer.rules()->chat_template.empty();
}

void converse(const Gpt& model, const Tokenizer& tokenizer, const ChatRequest& request) {
  const TextRules& rules = *tokenizer.rules();
  const ChatTemplate chat =
      with_template(rules, [&] { return ChatTemplate(rules.chat_template, rules.names); });
  const bool asked = !request.start && is_asked();
  if (asked) note("type a message and press Enter; Ctrl-D ends");
  std::vector<ChatMessage> messages;
  if (!request.system.empty()) messages.push_back({"system", request.system});
  std::string line;
  for (std::uint32_t turn = 0;; ++turn) {
    if (asked) print("> ");
    if (request.start) {
      line = *request.start;
    } else if (!std::getline(std::cin, line)) {
      break;
    }
    if (line.empty()) {
      check(!request.start, "--start: the message is empty (write at least one word)");
      note("the line is empty (type a message)");
      continue;
    }
    messages.push_back({"user", line});
    const std::vector<std::int32_t> tokens = with_template(
        rules, [&] { return tokenizer.encode_marked(chat.render(messages, std::time(nullptr))); });
    check(std::ssize(tokens) <= model.config.n_positions, "--chat: the conversation has ",
          tokens.size(), " tokens, but the model reads at most ", model.config.n_positions,
          " (begin a new conversation)");
    const std::string written = answer(model, tokenizer, tokens, request, {request.seed, turn, 0});
    if (request.start) return;
    messages.push_back({"assistant", written});
  }
  if (asked) print("\n");
}

void chat(const Gpt& model, const Tokenizer& tokenizer, Index count, const SampleOptions& options,
          std::uint64_t seed, const std::string& end) {
  const bool asked = is_asked(), answers = !end.empty();
  if (asked) {
    note(answers ? "type a prompt and press Enter; Ctrl-D ends"
                 : "type the next words and press Enter; an empty line lets the model continue; "
                   "Ctrl-D ends");
  }
  std::string told, line;
  for (std::uint32_t turn = 0;; ++turn) {
    if (asked) print("> ");
    if (!std::getline(std::cin, line)) break;
    const bool joins = !told.empty() && !line.empty() && told.back() != '\n';
    const std::string prompt = answers ? line : told + (joins ? " " : "") + line;
    try {
      check(!prompt.empty(), "is empty (type some words to start with)");
      note_unknown_words(tokenizer, {line}, "the line");
      tokenizer.encode(line);
    } catch (const std::invalid_argument& error) {
      note(text("the line: ", error.what()));
      continue;
    }
    told = prompt;
    // A blank line ends a paragraph, unless the paragraph has not begun yet.
    const auto goes_on = [&] {
      const std::size_t begin = told.find_first_not_of('\n', prompt.size());
      return begin == std::string::npos || told.find("\n\n", begin) == std::string::npos;
    };
    write_text(model, tokenizer, prompt, count, options, {seed, turn, 0}, end,
               [&](std::string_view piece) {
                 told += piece;
                 print(piece);
                 return answers || goes_on();
               });
    if (told.back() != '\n') print("\n");
  }
  if (asked) print("\n");
}

}  // namespace gradus
