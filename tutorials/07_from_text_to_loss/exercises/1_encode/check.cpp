#include "tutorials/common/check.h"

#include "pocket/text.h"

namespace {

using gradus::green, gradus::listed, gradus::red;

void ask(const std::string& learned, const std::string& text, const pocket::Tokens& expected) {
  const auto characters = pocket::CharTokenizer::learn(learned);
  const pocket::Tokens got = characters.encode(text);
  if (got != expected) {
    red("\"", text, "\" after learning \"", learned, "\": got ", listed(got), ", expected ",
        listed(expected));
  }
  if (characters.decode(got) != text) red("decode() does not give \"", text, "\" back");
}

void refuse(const std::string& learned, const std::string& text, const std::string& cause) {
  pocket::Tokens got;
  if (gradus::refusal([&] { got = pocket::CharTokenizer::learn(learned).encode(text); })) return;
  red("\"", text, "\" after learning \"", learned, "\": got ", listed(got),
      ", expected an error\nlikely cause: ", cause);
}

}  // namespace

CHECK_ANSWER() {
  ask("hello", "hello", {1, 0, 2, 2, 3});
  ask("a cab", "bac", {2, 1, 3});
  green("short words");
  ask("The fox. A crow!", "crow", {5, 10, 9, 11});
  ask("ab", "", {});
  ask("\xc3\xa9\xc3\xa9", "\xc3\xa9", {1, 0});  // bytes above 127
  green("spaces, capitals, an empty text, and a letter of two bytes");
  const std::string long_text(5000, 'b');
  ask("abc", long_text, pocket::Tokens(5000, 1));
  green("five thousand characters");
  refuse("abc", "abd", "find() of an unknown character gives npos; check() it");
  refuse("abc", "da", "only the last character is checked");
  refuse("abd", "abc", "a search in order stops at the next character; compare the two");
  green("a character that the vocabulary has not: an error");
}
