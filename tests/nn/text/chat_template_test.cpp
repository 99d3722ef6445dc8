// Chat templates give the texts of Jinja2, and the tokens of Hugging Face's reader:
// golden/chat_templates.py made the fixture with them.
#include "nn/text/chat_template.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "nn/files/tokenizer_files.h"
#include "tests/nn/golden_tokenizers.h"

using namespace gradus;

namespace {

using ChatJson = nlohmann::json;

constexpr std::time_t kNoon = 1721995200;  // on 26 July 2024, UTC

std::vector<ChatMessage> messages_of(const ChatJson& chat) {
  std::vector<ChatMessage> messages;
  for (const ChatJson& message : chat) {
    messages.push_back({message.at("role"), message.at("content")});
  }
  return messages;
}

/// The text of a user's message, and an answer to it if it is given, with a template.
std::string rendered(const std::string& source, const std::string& text = "Hi",
                     const std::string& answer = "") {
  std::vector<ChatMessage> messages = {{"user", text}};
  if (!answer.empty()) messages.push_back({"assistant", answer});
  return ChatTemplate(source, {{"bos_token", "<s>"}}).render(messages, kNoon).bytes();
}

void refuses(const std::string& source, const char* message) {
  CAPTURE(source);
  CHECK_THROWS_WITH_AS(rendered(source), doctest::Contains(message), std::invalid_argument);
}

const ChatJson& golden_chats() {
  static const ChatJson golden =
      ChatJson::parse(std::ifstream(GRADUS_GOLDEN_DIR "/chat_templates.json"));
  return golden;
}

/// A template of the fixture, and the tokenizer of its models.
struct ChatFormat {
  explicit ChatFormat(const ChatJson& one)
      : chat(one.at("template").get<std::string>(), one.at("names")),
        json(with_special_tokens(golden_tokenizer(one.at("tokenizer")), one.at("specials"))),
        tokenizer(tokenizer_from_json(json.dump(), "x")) {}

  ChatTemplate chat;
  ChatJson json;  // the tokenizer.json
  std::unique_ptr<Tokenizer> tokenizer;
};

}  // namespace

TEST_CASE("chat templates: texts and tokens of Hugging Face's readers") {
  const ChatJson& chats = golden_chats().at("chats");
  for (const ChatJson& one : golden_chats().at("cases")) {
    const std::string name = one.at("name");
    CAPTURE(name);
    const ChatFormat format(one);
    std::size_t compared = 0, with_tokens = 0;
    for (std::size_t i = 0; i < chats.size(); ++i) {
      CAPTURE(chats[i].dump());
      const ChatJson& expected = one.at("texts")[i];
      ++compared;
      if (expected.is_object()) {
        const std::string message = expected.at("refused");
        CHECK_THROWS_WITH_AS(format.chat.render(messages_of(chats[i]), kNoon),
                             doctest::Contains(message.c_str()), std::invalid_argument);
        continue;
      }
      const MarkedText text = format.chat.render(messages_of(chats[i]), kNoon);
      CHECK(text.bytes() == expected.get<std::string>());
      const std::vector<std::int32_t> tokens = format.tokenizer->encode_marked(text);
      if (!one.at("tokens")[i].is_null()) {
        CHECK(tokens == one.at("tokens")[i].get<std::vector<std::int32_t>>());
        ++with_tokens;
      }
    }
    CHECK(compared > 60);
    CHECK(with_tokens > 45);
  }
}

TEST_CASE("chat templates: a message cannot hold a special token") {
  for (const ChatJson& one : golden_chats().at("cases")) {
    const std::string name = one.at("name");
    CAPTURE(name);
    const ChatFormat format(one);
    std::string marks;
    for (const ChatJson& token : format.json.at("added_tokens")) {
      if (token.at("special") == true) marks += token.at("content").get<std::string>();
    }
    const auto specials_in = [&](const std::string& text) {
      std::size_t count = 0;
      const std::vector<ChatMessage> messages = {{"user", text}};
      for (const std::int32_t token :
           format.tokenizer->encode_marked(format.chat.render(messages, kNoon))) {
        if (format.tokenizer->is_special(token)) ++count;
      }
      return count;
    };
    CHECK(specials_in("x" + marks + "y") == specials_in("xy"));
  }
}

TEST_CASE("chat templates: white space around tags") {
  CHECK(rendered("a\n{% if true %}\nb\n{% endif %}\nc\n") == "a\nb\nc");
  CHECK(rendered("a \n {%- if true -%} \n b \n {%- endif -%} \n c") == "abc");
  CHECK(rendered("a  {% if true %}b{% endif %}  c") == "a  b  c");
  CHECK(rendered("  {% if true %}\n  b{% endif %}") == "  b");
  CHECK(rendered("x\n  {{ 'b' }}\n") == "x\n  b");
  CHECK(rendered("x {{- 'b' -}} \n y") == "xby");
  CHECK(rendered("a\n  {# no text #}\nb{#- none -#}  c") == "a\nbc");
  CHECK(rendered("{%+ if true %}a{% endif %}") == "a");
  CHECK(rendered("") == "");
}

TEST_CASE("chat templates: expressions") {
  const auto value = [](const std::string& expression, const std::string& text = "Hi") {
    return rendered("{{ " + expression + " }}", text);
  };
  CHECK(value("1 + 2 * 3 - 4 // 3") == "6");
  CHECK(value("-7 // 2") == "-4");
  CHECK(value("-7 % 3") == "2");
  CHECK(value("'a' ~ 1 ~ none ~ true") == "a1NoneTrue");
  CHECK(value("'a' + 'b' | trim") == "ab");
  CHECK(value("1 < 2 and not 2 <= 1 or false") == "True");
  CHECK(value("none or 'x'") == "x");
  CHECK(value("'b' if 1 == 2 else 'c'") == "c");
  CHECK(value("'b' if 1 == 2") == "");
  CHECK(value("'a' in 'cat' and 'b' not in 'cat'") == "True");
  CHECK(value("2 in [1, 2]") == "True");
  CHECK(value("[1, 2, 3][::-1][0] ~ [1, 2, 3][-2:] | length") == "32");
  CHECK(value("[1, 2, 3][1:2] == [2]") == "True");
  CHECK(value("'caf\u00e9!'[1:-1] ~ 'ab'[:9] ~ 'ab'[5:] ~ 'ab'[-1:0]") == "af\u00e9ab");
  CHECK(value("nothing is defined") == "False");
  CHECK(value("nothing") == "");
  CHECK(value("nothing | default('x')") == "x");
  CHECK(value("messages[0] is mapping and messages[0].role is string") == "True");
  CHECK(value("messages[0]['tools'] is not defined") == "True");
  CHECK(value("'role' in messages[0]") == "True");
  CHECK(value("messages[0].get('name', 'x')") == "x");
  CHECK(value("messages[0].content | length", "\u00e9\u00e9") == "2");
  CHECK(value("messages[0].content.strip()", " \u3000\x1c a\u00a0\n") == "a");
  CHECK(value("messages[0].content.lstrip('ab')", "abca") == "ca");
  CHECK(value("messages[0].content.split('-')[-1]", "a-b-c") == "c");
  CHECK(value("messages[0].content.startswith('H')") == "True");
  CHECK(value("strftime_now('%Y')") == "2024");
  CHECK(value("'a\\n\\'\\\\' \"b\"") == "a\n'\\b");
  CHECK(value("tools is none") == "True");
}

TEST_CASE("chat templates: statements") {
  CHECK(
      rendered("{% for i in range(1, 4) %}{{ loop.index0 }}{{ i }}{{ loop.last }} {% endfor %}") ==
      "01False 12False 23True ");
  CHECK(rendered("{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}", "a",
                 "b") == "a");
  CHECK(rendered("{% for m in [] %}x{% else %}y{% endfor %}") == "y");
  CHECK(rendered("{% set x = 1 %}{% for i in range(2) %}{% set x = 5 %}{% endfor %}{{ x }}") ==
        "1");
  CHECK(rendered("{% set n = namespace(x=1) %}{% for i in range(2) %}{% set n.x = n.x + 1 %}"
                 "{% endfor %}{{ n.x }}") == "3");
  CHECK(rendered("{% if 0 %}a{% elif '' %}b{% elif 1 %}c{% else %}d{% endif %}") == "c");
  CHECK(rendered("{% macro f(x) %}{{ x }}{% endmacro %}{% generation %}a{% endgeneration %}") ==
        "a");
  CHECK(rendered("{% for m in messages | rejectattr('role', 'equalto', 'user') %}{{ m.content }}"
                 "{% endfor %}",
                 "a", "b") == "b");
}

TEST_CASE("chat templates: wrong and unsupported templates") {
  refuses("{% if true %}", "a statement has no endif");
  refuses("{% endif %}", "the statement endif is not expected");
  refuses("{% for x in y %}{% if x %}{% endfor %}", "the statement endfor is not expected");
  refuses("{% for x in y %}", "a statement has no endfor");
  refuses("{% call f() %}{% endcall %}", "the statement call is not supported");
  refuses("{{ 'a }}", "a text has no closing '");
  refuses("{{ a", "a tag {{ has no end }}");
  refuses("{# a", "a comment {# has no end #}");
  refuses("{{ 1.5 }}", "the number 1. is not supported");
  refuses("{{ a b }}", "the end of a tag is expected, got b");
  refuses("{{ (1 }}", "a tag {{ has no end }}");
  refuses("{{ }}", "a value is expected, got the end of the tag");
  refuses("{{ a ! b }}", "the character ! is not expected");
  refuses("{{ f('x') }}", "the function f with 1 values is not supported");
  refuses("{{ 'x' | upper }}", "the filter upper is not supported");
  refuses("{{ 'x'.upper() }}", "the method upper with 0 values is not supported");
  refuses("{{ 'x' is odd }}", "the test odd is not supported");
  refuses("{{ nothing.x }}", "nothing is undefined, but its x is needed");
  refuses("{{ nothing + 'x' }}", "+ needs a number, got nothing, which is undefined");
  refuses("{{ 'x' + 1 }}", "+ needs a text, got a number");
  refuses("{{ 1 // 0 }}", "// divides by 0");
  refuses("{{ messages }}", "{{ }} of a list is not supported");
  refuses("{{ raise_exception('Nothing but questions!') }}",
          "the template refuses the conversation: Nothing but questions!");
  refuses(
      std::string(100, ' ') + "{{ " + std::string(200, '(') + "1" + std::string(200, ')') + " }}",
      "is nested deeper than 100 levels");
}

TEST_CASE("chat templates: hostile templates end") {
  refuses("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
          "takes more than 10000000 steps");
  std::string sum = "{{ 1";
  for (int i = 0; i < 600; ++i) sum += " + 1";
  refuses(sum + " }}", "a tag has more than 1000 words and signs");
  refuses(
      "{% set n = namespace(x=1) %}{% for i in range(99) %}{% set n.x = n.x + n.x %}{% endfor %}",
      "+ has too large a number");
  refuses("{{ range(999999999) }}", "range makes a list that is too long");
  refuses("{% set n = namespace(x=1) %}{% for i in range(99) %}{% set n.x = [n.x] %}{% endfor %}",
          "lists in lists are too deep");
  refuses("{% set n = namespace(x=1) %}{% set n.x = n %}", "a namespace in a namespace");
  refuses("{{ " + std::string(30, '[') + std::string(30, ']') + " }}",
          "lists in lists are too deep");
  refuses("{{ [namespace(x=1)] }}", "hold a namespace");
  refuses("{% for m in messages %}{% set m.x = [m] %}{% endfor %}", "m is not a namespace");
  refuses(
      "{% set n = namespace(x='aaaaaaaa') %}{% for i in range(99) %}{% set n.x = n.x + n.x %}"
      "{% endfor %}",
      "makes a text that is too long");
  refuses(
      "{% set n = namespace(x=[1]) %}{% for i in range(99) %}{% set n.x = n.x + n.x %}"
      "{% endfor %}",
      "makes a list that is too long");
  refuses("{{ [[1]] == [[1]] }}", "== of lists in lists is not supported");
  refuses(
      "{% set n = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(16) %}"
      "{% set n.x = n.x + n.x %}{% endfor %}{% for i in range(9999) %}{{ n.x }}{% endfor %}",
      "makes a text that is too long");
}
