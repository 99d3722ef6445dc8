#include "cli/program/help_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "cli/program/command.h"
#include "nn/text/lines.h"
#include "nn/text/utf8.h"

namespace gradus {

std::size_t help_width() {
  winsize size{};
  const bool is_terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? std::clamp<std::size_t>(size.ws_col, 40, 100) : 80;
}

std::string wrapped(std::string_view words, std::size_t width, std::size_t indent) {
  constexpr std::string_view kBlanks = " \n";
  std::string out;
  std::size_t column = indent;
  for (std::size_t at = 0; (at = words.find_first_not_of(kBlanks, at)) != words.npos;) {
    const std::size_t end = std::min(words.find_first_of(kBlanks, at), words.size());
    const std::string_view word = words.substr(at, end - at);
    const std::size_t length = utf8_decode(word).size();
    if (!out.empty() && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    at = end;
  }
  return out;
}

std::string reflowed(std::string_view text, std::size_t width) {
  std::string out, paragraph;
  const auto flush = [&] {
    out += paragraph.empty() ? "" : wrapped(paragraph, width, 0) + "\n";
    paragraph.clear();
  };
  for_each_line(text, [&](std::string_view line, bool) {
    if (line.empty() || line[0] == ' ') {
      flush();
      out += std::string(line) + "\n";
    } else {
      paragraph += std::string(line) + " ";
    }
  });
  flush();
  return out;
}

std::string as_called(std::string text) {
  constexpr std::string_view kName = "gradus ";
  const std::string called = program_name() + " ";
  for (std::size_t at = 0; (at = text.find(kName, at)) != std::string::npos;) {
    const std::size_t after = at + kName.size();
    std::size_t end = after;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) {
      ++end;
    }
    const bool is_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\'' ||
                         text[at - 1] == '\n' || text[at - 1] == '(';
    if (is_word && is_command(text.substr(after, end - after))) {
      text.replace(at, kName.size(), called);
      at += called.size();
    } else {
      at = after;
    }
  }
  return text;
}

}  // namespace gradus
