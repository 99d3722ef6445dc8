#include "nn/text/template_lexemes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "autograd/check.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kMostLexemes = 1000;  // so that expressions are not too deep for the stack
constexpr std::string_view kTemplateBlank = " \t\n\r\v\f";

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// Cuts a template into chunks.
class TemplateCutter {
 public:
  explicit TemplateCutter(std::string_view source) : source_(source) {
    if (source_.ends_with('\n')) source_.remove_suffix(1);
  }

  std::vector<TemplateChunk> cut() {
    while (at_ < source_.size()) {
      std::size_t begin = at_;
      while (begin < source_.size() && !is_tag(begin)) ++begin;
      add_text(begin);
      if (begin == source_.size()) break;
      const char kind = source_[begin + 1];
      at_ = begin + 2;
      if (at_ < source_.size() && (source_[at_] == '-' || source_[at_] == '+')) ++at_;
      if (kind == '#') {
        at_ = source_.find("#}", at_);
        check(at_ != std::string_view::npos, "a comment {# has no end #}");
        end_tag(source_[at_ - 1], kind);
      } else {
        read_lexemes(kind);
      }
    }
    return std::move(chunks_);
  }

 private:
  bool is_tag(std::size_t at) const {
    return source_[at] == '{' && at + 1 < source_.size() &&
           std::string_view("{%#").find(source_[at + 1]) != std::string_view::npos;
  }

  /// Adds the text up to a tag, without the blanks that belong to the tag.
  void add_text(std::size_t tag) {
    std::string_view text = source_.substr(at_, tag - at_);
    const char kind = tag < source_.size() ? source_[tag + 1] : '{';
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : ' ';
    const std::size_t full = text.find_last_not_of(kTemplateBlank) + 1;
    if (tag < source_.size() && sign == '-') {
      text = text.substr(0, full);
    } else if (kind != '{' && sign != '+') {
      const std::size_t line = text.rfind('\n') + 1;
      if ((line > 0 || begins_line_) && full <= line) text = text.substr(0, line);
    }
    if (!text.empty()) chunks_.push_back({TemplateChunk::Kind::kText, std::string(text), {}});
  }

  /// Goes on after the end of a tag: after a minus sign without white space, otherwise after a
  /// statement or comment without its new line.
  void end_tag(char sign, char kind) {
    at_ += 2;
    const std::size_t end = at_;
    if (sign == '-') {
      at_ = std::min(source_.find_first_not_of(kTemplateBlank, at_), source_.size());
    } else if (kind != '{' && sign != '+' && at_ < source_.size() && source_[at_] == '\n') {
      ++at_;
    }
    begins_line_ = at_ > end && source_[at_ - 1] == '\n';
  }

  void read_lexemes(char kind) {
    const std::string_view end = kind == '{' ? "}}" : "%}";
    TemplateChunk chunk{
        kind == '{' ? TemplateChunk::Kind::kPrint : TemplateChunk::Kind::kStatement, "", {}};
    for (int open = 0;;) {
      at_ = std::min(source_.find_first_not_of(kTemplateBlank, at_), source_.size());
      check(at_ < source_.size(), "a tag {", kind, " has no end ", end);
      const std::string_view rest = source_.substr(at_);
      const bool has_sign = rest[0] == '-' || rest[0] == '+';
      if (open == 0 && rest.substr(has_sign ? 1 : 0).starts_with(end)) {
        if (has_sign) ++at_;
        end_tag(has_sign ? rest[0] : ' ', kind);
        break;
      }
      check(chunk.lexemes.size() < kMostLexemes, "a tag has more than ", kMostLexemes,
            " words and signs");
      chunk.lexemes.push_back(read_lexeme(rest));
      const std::string& text = chunk.lexemes.back().text;
      if (chunk.lexemes.back().kind == TemplateLexeme::Kind::kSign) {
        open += text == "(" || text == "[" || text == "{";
        open -= text == ")" || text == "]" || text == "}";
      }
    }
    chunk.lexemes.push_back({TemplateLexeme::Kind::kEnd, "the end of the tag"});
    chunks_.push_back(std::move(chunk));
  }

  TemplateLexeme read_lexeme(std::string_view rest) {
    const auto take = [&](TemplateLexeme::Kind kind, std::size_t length) {
      at_ += length;
      return TemplateLexeme{kind, std::string(rest.substr(0, length))};
    };
    std::size_t length = 0;
    if (begins_name(rest[0])) {
      while (length < rest.size() && (begins_name(rest[length]) || is_figure(rest[length])))
        ++length;
      return take(TemplateLexeme::Kind::kName, length);
    }
    if (is_figure(rest[0])) {
      while (length < rest.size() && is_figure(rest[length])) ++length;
      check(length < 16 && !(rest.substr(length).starts_with('.')), "the number ",
            rest.substr(0, length + 1), " is not supported (only whole numbers)");
      return take(TemplateLexeme::Kind::kNumber, length);
    }
    if (rest[0] == '"' || rest[0] == '\'') return {TemplateLexeme::Kind::kText, read_quoted()};
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "//", "**"}) {
      if (rest.starts_with(sign)) return take(TemplateLexeme::Kind::kSign, 2);
    }
    check(std::string_view("+-*/%~<>=()[]{}.,:|").find(rest[0]) != std::string_view::npos,
          "the character ", shown(read_utf8(rest, 0).code_point), " is not expected");
    return take(TemplateLexeme::Kind::kSign, 1);
  }

  std::string read_quoted() {
    const char quote = source_[at_++];
    std::string text;
    for (; at_ < source_.size() && source_[at_] != quote; ++at_) {
      if (source_[at_] != '\\' || at_ + 1 == source_.size()) {
        text += source_[at_];
        continue;
      }
      const char escaped = source_[++at_];
      constexpr std::string_view kCodes = "ntr\\'\"\n";
      constexpr std::array kMeanings = {"\n", "\t", "\r", "\\", "'", "\"", ""};
      const std::size_t code = kCodes.find(escaped);
      check(code != std::string_view::npos, "the escape \\", escaped, " is not supported");
      text += kMeanings[code];
    }
    check(at_ < source_.size(), "a text has no closing ", quote);
    ++at_;
    return text;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  bool begins_line_ = true;  // whether a new line is before the text at at_
  std::vector<TemplateChunk> chunks_;
};

}  // namespace

std::vector<TemplateChunk> cut_template(std::string_view source) {
  return TemplateCutter(source).cut();
}

}  // namespace gradus
