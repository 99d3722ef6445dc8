#include "nn/text/template_syntax.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "autograd/check.h"
#include "nn/text/template_lexemes.h"

namespace gradus {
using namespace detail;
namespace {

using Expression = TemplateExpression;
using Statement = TemplateStatement;
using Kind = Expression::Kind;
using Chunk = TemplateChunk;
using Lexeme = TemplateLexeme;

constexpr int kDeepest = 100;  // levels of statements and expressions in each other

template <class... Parts>
std::vector<Expression> operands(Parts&&... parts) {
  std::vector<Expression> all;
  (all.push_back(std::forward<Parts>(parts)), ...);
  return all;
}

/// Parses chunks.
class TemplateParser {
 public:
  explicit TemplateParser(std::vector<Chunk> chunks) : chunks_(std::move(chunks)) {}

  std::vector<Statement> parse() { return body({}); }

 private:
  // Statements.

  /// Parses statements up to one of the words, which is then in ending_, or to the end.
  std::vector<Statement> body(std::initializer_list<const char*> words) {
    const Level level(*this);
    std::vector<Statement> all;
    ending_ = "";
    while (chunk_ < chunks_.size()) {
      const Chunk& chunk = chunks_[chunk_++];
      at_ = 0;
      if (chunk.kind == Chunk::Kind::kText) {
        all.push_back({.kind = Statement::Kind::kText, .name = chunk.text});
        continue;
      }
      lexemes_ = &chunk.lexemes;
      if (chunk.kind == Chunk::Kind::kPrint) {
        all.push_back({.kind = Statement::Kind::kPrint, .value = expression()});
        expect_end();
        continue;
      }
      const std::string word = name();
      ending_ = word;
      if (std::ranges::find(words, word) != words.end()) return all;
      statement(word, all);
    }
    check(words.size() == 0, "a statement has no ", words.size() == 0 ? "" : *(words.end() - 1));
    return all;
  }

  void statement(const std::string& word, std::vector<Statement>& all) {
    if (word == "set") {
      Statement set{.kind = Statement::Kind::kSet, .name = name()};
      if (accept(".")) set.attribute = name();
      check(accept("="), "a statement set without = is not supported");
      set.value = expression();
      expect_end();
      all.push_back(std::move(set));
    } else if (word == "if") {
      all.push_back(condition());
    } else if (word == "for") {
      all.push_back(loop());
    } else if (word == "macro") {
      body({"endmacro"});
    } else {
      const bool is_end = word == "endif" || word == "endfor" || word == "endmacro";
      check(!is_end && word != "else" && word != "elif", "the statement ", word,
            " is not expected");
      // Hugging Face's marks around answers are for training.
      check(word == "generation" || word == "endgeneration", "the statement ", word,
            " is not supported (only if, for and set)");
    }
  }

  Statement condition() {
    Statement made{.kind = Statement::Kind::kIf, .value = expression()};
    expect_end();
    made.body = body({"elif", "else", "endif"});
    if (ending_ == "elif") {
      const Level level(*this);
      made.otherwise.push_back(condition());
    } else if (ending_ == "else") {
      expect_end();
      made.otherwise = body({"endif"});
    }
    return made;
  }

  Statement loop() {
    Statement made{.kind = Statement::Kind::kFor, .name = name()};
    if (accept(",")) made.attribute = name();  // only in loops over tables, for tools
    check(accept("in"), "a statement for has no in");
    made.value = either_or();
    if (accept("if")) made.condition.push_back(expression());
    expect_end();
    made.body = body({"else", "endfor"});
    if (ending_ == "else") {
      expect_end();
      made.otherwise = body({"endfor"});
    }
    return made;
  }

  // Expressions, from the operator that binds least.

  Expression expression() {
    const Level level(*this);
    Expression first = either_or();
    if (!accept("if")) return first;
    Expression chosen = either_or();
    Expression other{.kind = Kind::kText};  // without else, nothing is printed
    if (accept("else")) other = expression();
    return {.kind = Kind::kEither,
            .parts = operands(std::move(first), std::move(chosen), std::move(other))};
  }

  template <class Operand>
  Expression chain(std::initializer_list<const char*> operators, const Operand& operand) {
    Expression left = operand();
    for (;;) {
      const auto found = std::ranges::find_if(operators, [&](const char* o) { return accept(o); });
      if (found == operators.end()) return left;
      left = {
          .kind = Kind::kOperator, .name = *found, .parts = operands(std::move(left), operand())};
    }
  }

  Expression either_or() {
    return chain({"or"}, [&] { return chain({"and"}, [&] { return negation(); }); });
  }

  Expression negation() {
    const Level level(*this);
    if (accept("not")) return {.kind = Kind::kNot, .parts = operands(negation())};
    return comparison();
  }

  Expression comparison() {
    const auto sum = [&] {
      return chain({"+", "-"}, [&] {
        return chain({"~"}, [&] { return chain({"*", "//", "/", "%"}, [&] { return unary(); }); });
      });
    };
    Expression left = chain({"==", "!=", "<=", ">=", "<", ">", "in"}, sum);
    if (peek("not")) {
      accept("not");
      check(accept("in"), "not is expected before in, got ", lexeme().text);
      left = {
          .kind = Kind::kNot,
          .parts = {
              {.kind = Kind::kOperator, .name = "in", .parts = operands(std::move(left), sum())}}};
    }
    return left;
  }

  Expression unary() {
    const Level level(*this);
    if (accept("-")) return {.kind = Kind::kNegative, .parts = operands(unary())};
    Expression made = primary();
    for (;;) {
      if (accept(".")) {
        made = {.kind = Kind::kAttribute, .name = name(), .parts = operands(std::move(made))};
      } else if (accept("[")) {
        made = item(std::move(made));
      } else if (accept("(")) {
        made = {.kind = Kind::kCall, .parts = operands(std::move(made)), .keys = {""}};
        arguments(made);
      } else if (accept("|")) {
        made = {.kind = Kind::kFilter,
                .name = name(),
                .parts = operands(std::move(made)),
                .keys = {""}};
        if (accept("(")) arguments(made);
      } else if (accept("is")) {
        made = test(std::move(made));
      } else {
        return made;
      }
    }
  }

  Expression test(Expression tested) {
    const bool is_not = accept("not");
    Expression made{
        .kind = Kind::kTest, .name = name(), .parts = operands(std::move(tested)), .keys = {""}};
    if (accept("(")) {
      arguments(made);
    } else if (lexeme().kind == Lexeme::Kind::kText || lexeme().kind == Lexeme::Kind::kNumber) {
      made.parts.push_back(primary());
      made.keys.emplace_back();
    }
    return is_not ? Expression{.kind = Kind::kNot, .parts = operands(std::move(made))} : made;
  }

  Expression item(Expression of) {
    std::vector<Expression> bounds;
    bool is_slice = false;
    for (Expression bound;; bound = {}) {
      if (!peek(":") && !peek("]")) bound = expression();
      bounds.push_back(std::move(bound));
      if (accept("]")) break;
      check(accept(":"), "] is expected, got ", lexeme().text);
      is_slice = true;
    }
    check(bounds.size() <= 3, "a slice has more than three parts");
    if (is_slice) bounds.resize(3);
    Expression made{.kind = is_slice ? Kind::kSlice : Kind::kItem,
                    .parts = operands(std::move(of))};
    std::ranges::move(bounds, std::back_inserter(made.parts));
    return made;
  }

  void arguments(Expression& call) {
    while (!accept(")")) {
      const bool is_named = lexeme().kind == Lexeme::Kind::kName &&
                            (*lexemes_)[at_ + 1].kind == Lexeme::Kind::kSign &&
                            (*lexemes_)[at_ + 1].text == "=";
      call.keys.push_back(is_named ? name() : "");
      if (is_named) accept("=");
      call.parts.push_back(expression());
      check(peek(")") || accept(","), ") is expected, got ", lexeme().text);
    }
  }

  Expression primary() {
    const Lexeme given = lexeme();
    check(given.kind != Lexeme::Kind::kEnd, "a value is expected, got ", given.text);
    ++at_;
    if (given.kind == Lexeme::Kind::kNumber) {
      return {.kind = Kind::kNumber, .number = std::stoll(given.text)};
    }
    if (given.kind == Lexeme::Kind::kText) {
      std::string text = given.text;
      while (lexeme().kind == Lexeme::Kind::kText) text += (*lexemes_)[at_++].text;
      return {.kind = Kind::kText, .name = std::move(text)};
    }
    if (given.kind == Lexeme::Kind::kName) {
      const bool is_true = given.text == "true" || given.text == "True";
      if (is_true || given.text == "false" || given.text == "False") {
        return {.kind = Kind::kTruth, .number = is_true};
      }
      if (given.text == "none" || given.text == "None") return {};
      return {.kind = Kind::kName, .name = given.text};
    }
    if (given.text == "(") {
      Expression inner = expression();
      check(accept(")"), ") is expected, got ", lexeme().text);
      return inner;
    }
    check(given.text == "[" || given.text == "{", "a value is expected, got ", given.text);
    const bool is_table = given.text == "{";
    Expression made{.kind = is_table ? Kind::kTable : Kind::kList};
    const char* end = is_table ? "}" : "]";
    while (!accept(end)) {
      made.parts.push_back(expression());
      if (is_table) {
        check(accept(":"), ": is expected, got ", lexeme().text);
        made.parts.push_back(expression());
      }
      check(peek(end) || accept(","), end, " is expected, got ", lexeme().text);
    }
    return made;
  }

  // Lexemes.

  /// Counts the levels that the parser is in.
  struct Level {
    explicit Level(TemplateParser& parser) : depth(parser.depth_) {
      check(++depth < kDeepest, "is nested deeper than ", kDeepest, " levels");
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };

  const Lexeme& lexeme() const { return (*lexemes_)[at_]; }
  bool peek(std::string_view text) const {
    return (lexeme().kind == Lexeme::Kind::kSign || lexeme().kind == Lexeme::Kind::kName) &&
           lexeme().text == text;
  }
  bool accept(std::string_view text) {
    const bool is_next = peek(text);
    if (is_next) ++at_;
    return is_next;
  }
  std::string name() {
    check(lexeme().kind == Lexeme::Kind::kName, "a name is expected, got ", lexeme().text);
    return (*lexemes_)[at_++].text;
  }
  void expect_end() const {
    check(lexeme().kind == Lexeme::Kind::kEnd, "the end of a tag is expected, got ", lexeme().text);
  }

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, at_ = 0;
  const std::vector<Lexeme>* lexemes_ = nullptr;
  std::string ending_;
  int depth_ = 0;
};

}  // namespace

std::vector<TemplateStatement> parse_template(std::string_view source) {
  return TemplateParser(cut_template(source)).parse();
}

}  // namespace gradus
