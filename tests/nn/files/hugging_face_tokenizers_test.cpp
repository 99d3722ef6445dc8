// Tokenizers of Llama, Mistral and Qwen give the tokens of Hugging Face's own reader:
// golden/hf_tokenizers.mjs made the fixture with it.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "nn/files/tokenizer_files.h"
#include "nn/text/metaspace_tokenizer.h"
#include "nn/text/pretokenize.h"
#include "nn/text/unicode_folding.h"
#include "tests/nn/golden_tokenizers.h"
#include "tests/temporary_folder.h"

using namespace gradus;

namespace {

using Json = nlohmann::json;
using Tokens = std::vector<std::int32_t>;

std::unique_ptr<Tokenizer> read_case(const std::string& name) {
  return tokenizer_from_json(golden_tokenizer(name).dump(), "x");
}

}  // namespace

TEST_CASE("tokenizers of Hugging Face's folders: the same tokens as Hugging Face's reader") {
  const Json& texts = golden_tokenizers().at("texts");
  for (const Json& one : golden_tokenizers().at("cases")) {
    const std::string name = one.at("name");
    CAPTURE(name);
    const auto tokenizer = tokenizer_from_json(one.at("tokenizer").dump(), "x");
    std::size_t compared = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (one.at("tokens")[i].is_null()) continue;  // holds the text of a special token
      CAPTURE(texts[i].dump());
      CHECK(tokenizer->encode(texts[i].get<std::string>()) == one.at("tokens")[i].get<Tokens>());
      ++compared;
    }
    CHECK(compared > 100);
  }
}

TEST_CASE("tokenizers of Hugging Face's folders: written, they are read as the same") {
  const TemporaryFolder folder;
  for (const Json& one : golden_tokenizers().at("cases")) {
    const auto tokenizer = tokenizer_from_json(one.at("tokenizer").dump(), "x");
    save_tokenizer(*tokenizer, folder.path);
    CHECK(Json::parse(std::ifstream(folder / "tokenizer.json")) == one.at("tokenizer"));
    CHECK(load_tokenizer(folder.path)->encode("a <tool>b 12") == tokenizer->encode("a <tool>b 12"));
    CHECK(is_hugging_face(*tokenizer));
  }
}

TEST_CASE("tokenizers of Hugging Face's folders: decoding gives the text again") {
  for (const Json& one : golden_tokenizers().at("cases")) {
    const std::string name = one.at("name");
    if (name == "qwen") continue;  // it composes texts
    CAPTURE(name);
    const auto tokenizer = tokenizer_from_json(one.at("tokenizer").dump(), "x");
    for (const std::string text :
         {"a b", "  two blanks", "caf\u00e9 \U0001F98A", "line\nline\t", "\xff\xc3("}) {
      // Without a blank before texts, a blank at the start stays; otherwise, one is added only if
      // there is none.
      const std::string back = tokenizer->decode(tokenizer->encode(text));
      const bool takes_blank = name == "mistral" || name == "metaspace words";
      CHECK(back == (takes_blank && text[0] == ' ' ? text.substr(1) : text));
    }
  }
}

TEST_CASE("tokenizers of Hugging Face's folders: a continuation has no blank of its own") {
  for (const Json& one : golden_tokenizers().at("cases")) {
    const std::string name = one.at("name");
    CAPTURE(name);
    const auto tokenizer = tokenizer_from_json(one.at("tokenizer").dump(), "x");
    for (const std::string text : {"a b", " a", "  b ", "\n", "12", ""}) {
      CHECK(tokenizer->decode_continuation(tokenizer->encode_continuation(text)) == text);
    }
    CHECK(tokenizer->encode_continuation("\n").size() == 1);
  }
  // As in the middle of a text.
  const auto mistral = read_case("mistral");
  Tokens whole = mistral->encode("x");
  const Tokens rest = mistral->encode_continuation("\n the");
  whole.insert(whole.end(), rest.begin(), rest.end());
  CHECK(whole == mistral->encode("x\n the"));
}

TEST_CASE("tokenizers of Hugging Face's folders: the text of a special token is plain text") {
  for (const char* name : {"llama 3", "mistral"}) {
    const auto tokenizer = read_case(name);
    CHECK(tokenizer->encode("<|separator|>").size() > 1);
  }
  const auto mistral = read_case("mistral");
  const auto& metaspace = dynamic_cast<const MetaspaceTokenizer&>(*mistral);
  const Tokens tokens = metaspace.encode_with_specials("<s>a");
  REQUIRE(tokens.size() == 2);  // no blank after a special token
  CHECK(tokens[0] == 1);
  CHECK(metaspace.is_special(1));
  CHECK(!metaspace.is_special(tokens[1]));
  CHECK(metaspace.piece(tokens[1]) == "a");
  CHECK(metaspace.piece(3 + 10) == "\n");  // <0x0A>
}

TEST_CASE("tokenizers of Hugging Face's folders: special tokens stand only in markup") {
  for (const char* name : {"llama 3", "qwen", "llama 2", "mistral", "metaspace never"}) {
    CAPTURE(name);
    const auto tokenizer = read_case(name);
    const std::string mark = "<|separator|>";
    const Tokens one = tokenizer->encode_marked({mark, true});
    REQUIRE(one.size() == 1);
    CHECK(tokenizer->is_special(one[0]));
    CHECK(tokenizer->encode_marked({mark, false}) == tokenizer->encode(mark));
    MarkedText halves(mark.substr(0, 5), true);
    halves += MarkedText(mark.substr(5), false);
    CHECK(tokenizer->encode_marked(halves) == tokenizer->encode(mark));
    // Between special tokens, markup and plain text are encoded as one text.
    MarkedText text(mark + "the f", true);
    text += MarkedText("ox" + mark + "x", false);
    text += MarkedText(mark, true);
    Tokens expected = one;
    const std::string between = "the fox" + mark + "x";
    // Some tokenizers put no blank after a special token, but one before a text.
    const Tokens as_text = tokenizer->encode_marked({between, false});
    const Tokens after = tokenizer->encode_marked([&] {
      MarkedText all(mark, true);
      all += MarkedText(between, false);
      return all;
    }());
    if (std::string(name) != "mistral") {
      CHECK(Tokens(after.begin() + 1, after.end()) == as_text);
    }
    expected.insert(expected.end(), after.begin() + 1, after.end());
    expected.push_back(one[0]);
    CHECK(tokenizer->encode_marked(text) == expected);
  }
}

TEST_CASE("tokenizers of Hugging Face's folders: the token before a text") {
  const auto token_of = [](const Json& json) {
    return tokenizer_from_json(json.dump(), "x")->begin_token();
  };
  CHECK(token_of(golden_tokenizer("llama 2")) == 1);
  CHECK(read_case("mistral")->piece(*read_case("mistral")->begin_token()) == "<s>");
  const auto llama = read_case("llama 3");  // in a Sequence
  CHECK(llama->piece(*llama->begin_token()) == "<|begin_of_text|>");
  CHECK(!token_of(golden_tokenizer("qwen")).has_value());
  Json json = golden_tokenizer("llama 2");
  json["post_processor"]["special_tokens"]["<s>"]["ids"] = {100000};
  CHECK_THROWS_WITH_AS(token_of(json), doctest::Contains("its \"ids\" must be one token below"),
                       std::runtime_error);
  json["post_processor"]["special_tokens"]["<s>"]["ids"] = {1, 2};
  CHECK_THROWS_WITH_AS(token_of(json), doctest::Contains("got [1,2]"), std::runtime_error);
  json["post_processor"]["single"] = {{{"Sequence", {{"id", "A"}, {"type_id", 0}}}}};
  CHECK(!token_of(json).has_value());
}

TEST_CASE("added tokens: conditions, and the longest match first") {
  const AddedTokens tokens({{.content = "ab", .number = 1},
                            {.content = "abc", .number = 2},
                            {.content = "w", .number = 3, .single_word = true},
                            {.content = "<", .number = 4, .left_strip = true},
                            {.content = ">", .number = 5, .right_strip = true}});
  const auto parts = [&](std::string_view text) {
    std::string all;
    tokens.each(text, [&](std::string_view part, const AddedToken* token) {
      all += "[" + std::string(part) + (token ? ":" + std::to_string(token->number) : "") + "]";
    });
    return all;
  };
  CHECK(parts("abcab") == "[abc:2][ab:1]");
  CHECK(parts("w ww w_ -w") == "[w:3][ ww w_ -][w:3]");
  CHECK(parts("x \u00a0< y") == "[x][ \u00a0<:4][ y]");
  CHECK(parts("x>\u3000\n y") == "[x][>\u3000\n :5][y]");
  CHECK(parts("> <") == "[> :5][<:4]");  // the white space is taken once
  CHECK(parts("\xff<\xff") == "[\xff][<:4][\xff]");
  CHECK(parts("") == "");
  CHECK(AddedTokens().empty());
}

TEST_CASE("pretokenizer: several expressions, and bytes that are not UTF-8") {
  const auto pieces = [](const std::vector<std::string>& expressions, std::string_view text) {
    std::string all;
    Pretokenizer(expressions).each(text, [&](std::string_view piece) {
      all += "[" + std::string(piece) + "]";
    });
    return all;
  };
  CHECK(pieces({}, "a 1") == "[a 1]");
  CHECK(pieces({"\\p{N}"}, "a12b") == "[a][1][2][b]");
  CHECK(pieces({"\\p{N}+", "b"}, "ab12b") == "[a][b][12][b]");
  CHECK(pieces({"\\p{N}"},
               "1\xff\xff"
               "2") == "[1][\xff\xff][2]");
  CHECK(pieces({"\\s+"}, "a\u3000\u180e b") == "[a][\u3000][\u180e][ ][b]");  // U+180E is no blank
}

TEST_CASE("composed: normal form C") {
  CHECK(composed("e\u0301a\u030a") == "\u00e9\u00e5");
  CHECK(composed("\u212b\ufb01") == "\u00c5\ufb01");
  CHECK(composed("\u1100\u1161") == "\uac00");
  CHECK(composed("") == "");
}

TEST_CASE("metaspace: files with other settings are refused") {
  const auto refused = [](const std::string& place, const Json& value, const char* message) {
    Json json = golden_tokenizer("mistral");
    json[Json::json_pointer(place)] = value;
    CAPTURE(message);
    CHECK_THROWS_WITH_AS(static_cast<void>(tokenizer_from_json(json.dump(), "x")),
                         doctest::Contains(message), std::runtime_error);
  };
  refused("/normalizer", {{"type", "NFKC"}},
          "has a normalizer that is not supported (only Prepend and Replace of a blank)");
  refused("/normalizer", golden_tokenizer("llama 2")["normalizer"],
          "has a normalizer and a pre_tokenizer, which is not supported (only one)");
  refused("/pre_tokenizer", nullptr, "pre_tokenizer must be null with a normalizer of Prepend");
  refused("/pre_tokenizer/replacement", "_", "pre_tokenizer has replacement \"_\"");
  refused("/pre_tokenizer/prepend_scheme", "last",
          "which is not \"always\", \"first\" or \"never\"");
  refused("/model/dropout", 0.1, "model has dropout 0.1");
  refused("/model/vocab", {{"a", 0}}, "have the same number 0");
  refused("/model/merges", {"a qqq"}, "merge 0: \"qqq\" is not a token");
  refused("/model/merges", {"a b c"}, "must be two tokens with one blank between them");
  refused("/model/merges", 3, "model has no list \"merges\"");
  Json bytes = golden_tokenizer("mistral");
  bytes["model"]["vocab"]["<0xZZ>"] = bytes["model"]["vocab"]["<0x07>"];
  bytes["model"]["vocab"].erase("<0x07>");
  CHECK_THROWS_WITH_AS(static_cast<void>(tokenizer_from_json(bytes.dump(), "x")),
                       doctest::Contains("of the 256 bytes, but <0x07> is missing"),
                       std::runtime_error);
}
