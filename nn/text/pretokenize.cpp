#include "nn/text/pretokenize.h"

#include <string>

#include "autograd/check.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

/// The expression with kBlank in place of \s.
std::string with_blank(const std::string& expression) {
  std::string result;
  bool is_in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c != '\\' || i + 1 == expression.size()) {
      is_in_class = c == '[' || (is_in_class && c != ']');
      result += c;
      continue;
    }
    const char escaped = expression[++i];
    detail::check(escaped != 'S' || !is_in_class,
                  "pattern: \\S inside a class is not supported, got ", expression);
    if (escaped == 's') {
      result += is_in_class ? kBlank : "[" + std::string(kBlank) + "]";
    } else if (escaped == 'S') {
      result += "[^" + std::string(kBlank) + "]";
    } else {
      result += {c, escaped};
    }
  }
  return result;
}

/// The end of the run of valid or of invalid bytes that starts at `at`.
std::size_t end_of_run(std::string_view text, std::size_t at, bool valid) {
  while (at < text.size()) {
    const Utf8Char read = read_utf8(text, at);
    if ((read.state == Utf8::kValid) != valid) break;
    at += read.length;
  }
  return at;
}

}  // namespace

const std::string& gpt2_expression() {
  static const std::string expression =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  return expression;
}

void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit) {
  static const Pretokenizer gpt2({gpt2_expression()});
  gpt2.each(text, visit);
}

Pretokenizer::Pretokenizer(const std::vector<std::string>& expressions) {
  for (const std::string& expression : expressions) {
    patterns_.push_back(std::make_shared<const Pattern>(with_blank(expression)));
  }
}

void Pretokenizer::each(std::string_view text,
                        const std::function<void(std::string_view)>& visit) const {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_run(text, at, true);
    cut(text.substr(at, end - at), 0, visit);
    at = end_of_run(text, end, false);
    if (at > end) visit(text.substr(end, at - end));
  }
}

void Pretokenizer::cut(std::string_view text, std::size_t step,
                       const std::function<void(std::string_view)>& visit) const {
  if (text.empty()) return;
  if (step == patterns_.size()) return visit(text);
  const char* end = text.data();  // of the last match
  patterns_[step]->each(text, [&](std::string_view match) {
    cut({end, match.data()}, step + 1, visit);
    cut(match, step + 1, visit);
    end = match.data() + match.size();
  });
  cut({end, text.data() + text.size()}, step + 1, visit);
}

}  // namespace gradus
