/// @file
/// Chapter 24: the tokens of difficult texts beside a Python tokenizer's tokens.
#pragma once

#include <set>

#include "tutorials/24_other_peoples_weights/judge.h"

// [tokens]
inline void tokens() {
  const Part part("tokens");
  const Gpt2Tokenizer tokenizer(kGpt);
  const auto shown = [characters = byte_characters()](const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += characters[static_cast<unsigned char>(c)];
    return text;
  };
  const Flat theirs = flat_json(read_text(kHere + "answers/tokens.json"));
  std::map<std::string, Tokens> texts;
  for (const auto& [path, number] : theirs) {  // gpt/TEXT/0, gpt/TEXT/1, and so on
    if (!path.starts_with("gpt/") || number == "[]") continue;
    const std::string text = path.substr(4, path.rfind('/') - 4);
    const std::size_t place = std::stoul(path.substr(path.rfind('/') + 1));
    texts[text].resize(std::max(texts[text].size(), place + 1));
    texts[text][place] = std::stoi(number);
  }
  std::vector<std::string> cut;  // the pieces of texts beyond ASCII
  for (const auto& [escaped, right] : texts) {
    const std::string text = unescaped(escaped);
    const Tokens ours = tokenizer.encode(text);
    std::string line;
    for (const std::int32_t token : ours) {
      line += (line.empty() ? "" : "|") + shown(tokenizer.pairs.pieces[token]);
    }
    std::printf("%-5s  %2d tokens  %s\n", ours == right ? "same" : "OTHER", int(ours.size()),
                line.c_str());
    line.clear();
    bool agree = true;
    for (std::size_t i = 0; const std::string& piece : gpt2_pieces(text)) {
      const std::string path = "pieces/" + escaped + "/" + std::to_string(i++);
      agree = agree && unescaped(value_at(theirs, path)) == piece;
      line += (line.empty() ? "" : "|") + piece;
    }
    if (std::ranges::any_of(text, [](char c) { return c < 0; })) cut.push_back(line);
    check(agree, "tokens: other pieces than in Python: ", line);
  }
  for (const std::string& line : cut) std::printf("pieces, same  %s\n", line.c_str());
  const std::string text = held_out(), some = text.substr(0, 8000);
  const Tokens ours = tokenizer.encode(text);
  const auto [same, all] = same_as_python(theirs, "held out", ours);
  Tokens uncut;
  for (const char c : some) uncut.push_back(tokenizer.bytes[static_cast<unsigned char>(c)]);
  std::printf("held-out text: %d of %d tokens the same\n", same, all);
  std::set<std::size_t> cuts;
  for (std::size_t at = 0; const std::string& piece : gpt2_pieces(some))
    cuts.insert(at += piece.size());
  uncut = tokenizer.pairs.encode_word(uncut);
  std::map<std::string, int> across;  // tokens with a cut inside
  for (std::size_t at = 0; const std::int32_t token : uncut) {
    const std::string& bytes = tokenizer.pairs.pieces[token];
    across[shown(bytes)] += *cuts.upper_bound(at) < at + bytes.size();
    at += bytes.size();
  }
  std::printf("its first %d bytes: %d tokens, without the cut %d; across a cut:", int(some.size()),
              int(tokenizer.encode(some).size()), int(uncut.size()));
  for (const auto& [token, times] : across) {
    if (times > 0) std::printf(" %d times %s", times, token.c_str());
  }
  std::printf("\n");
}
// [tokens]
