/// @file
/// A folder in the layout of Hugging Face's GPT-2: its names, its sizes, and its tokenizer.
#pragma once

#include <algorithm>
#include <span>

#if __has_include("pocket/weights.h")
#include "pocket/tokens.h"  // of the program: with --mine, the reader's
#include "pocket/weights.h"
#else
#include "tutorials/pocket/tokens.h"  // an exercise
#include "tutorials/pocket/weights.h"
#endif

using namespace pocket;

// [from_gpt2]
/// GPT-2's tensors under the names of Gpt. c_attn [C, 3 C] is query, key and value side by side.
inline NamedTensors from_gpt2(const NamedTensors& theirs) {
  NamedTensors ours;
  for (const auto& [name, x] : theirs) {
    // The causal mask, and in older files the score of hidden keys. Neither is a parameter.
    if (name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias")) continue;
    if (name.find("c_attn") == name.npos) {
      ours[name] = x;
      continue;
    }
    const std::vector<Tensor> parts = split(x, 3, -1);
    ours[std::string(name).replace(name.find("c_attn"), 6, "query")] = parts[0];
    ours[std::string(name).replace(name.find("c_attn"), 6, "key")] = parts[1];
    ours[std::string(name).replace(name.find("c_attn"), 6, "value")] = parts[2];
  }
  return renamed(ours, {{"transformer.", ""}, {"attn.c_proj", "attn.output"}});
}
// [from_gpt2]

// [read_gpt2]
/// A Gpt with the sizes in config.json, and with initial values.
inline Gpt new_gpt2(const std::string& folder) {
  const Flat config = flat_json(read_text(folder + "/config.json"));
  check(config.at("model_type") == "gpt2", "gpt2: needs model_type gpt2");
  check(config.at("activation_function") == "gelu_new", "gpt2: needs gelu_new");
  check(std::stod(config.at("layer_norm_epsilon")) == 1e-5, "gpt2: needs an epsilon of 1e-5");
  return Gpt({.vocab_size = whole(config, "vocab_size"),
              .n_positions = whole(config, "n_positions"),
              .n_layer = int(whole(config, "n_layer")),
              .n_head = int(whole(config, "n_head")),
              .n_embd = whole(config, "n_embd"),
              .dropout = 0});
}

inline Gpt read_gpt2(const std::string& folder) {
  Gpt model = new_gpt2(folder);
  fill(model, from_gpt2(read_safetensors(folder + "/model.safetensors")));
  return model;
}
// [read_gpt2]

// [stages]
/// The stages of a GPT: x after the embedding, after each block and after ln_f.
inline std::vector<Tensor> stages(const Gpt& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  std::vector<Tensor> x{model.wpe.embed(model.wte(tokens))};
  for (const Block& block : model.h) x.push_back(block(x.back(), {.causal = true}));
  x.push_back(model.ln_f(x.back()));
  return x;
}
// [stages]

// [names_of_stages]
/// The name of each stage: the embedding, block 0, block 1 and so on, ln_f.
inline std::vector<std::string> names_of_stages(const Gpt& model) {
  std::vector<std::string> names{"the embedding"};
  for (std::size_t i = 0; i < model.h.size(); ++i) names.push_back("block " + std::to_string(i));
  names.push_back("ln_f");
  return names;
}
// [names_of_stages]

// [utf8]
/// The character with this number in Unicode, as one, two or three bytes.
inline std::string utf8(int code) {
  const auto low = [&](int bits) { return static_cast<char>(0x80 | (code >> bits & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), low(0)};
  return {static_cast<char>(0xE0 | code >> 12), low(6), low(0)};
}

/// A string from a JSON text, with escapes such as \u0120 decoded.
inline std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
    } else if (text[++i] == 'u') {
      result += utf8(std::stoi(text.substr(i + 1, 4), nullptr, 16)), i += 4;
    } else {
      const std::size_t known = std::string("ntrbf").find(text[i]);
      result += known < 5 ? "\n\t\r\b\f"[known] : text[i];
    }
  }
  return result;
}
// [utf8]

// [byte_characters]
/// GPT-2's character for each byte: itself if it prints, otherwise the next from number 256 on.
inline std::vector<std::string> byte_characters() {
  std::vector<std::string> characters;
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool prints = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    characters.push_back(utf8(prints ? byte : next++));
  }
  return characters;
}
// [byte_characters]

// [kind]
enum class Kind { kBlank, kLetter, kDigit, kOther };

/// First and last of each range, by their numbers in Unicode.
constexpr int kBlanks[] = {9,      13,     32,     32,     0x85,   0x85,   0xA0,
                           0xA0,   0x1680, 0x1680, 0x2000, 0x200A, 0x2028, 0x2029,
                           0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000};
// 0 to 9; ² ³ ¹ ¼ ½ ¾; high and low ones, Roman ones, circled ones, Chinese ones, wide ones
constexpr int kDigits[] = {48,     57,     0xB2,   0xB3,   0xB9,   0xB9,   0xBC,   0xBE,   0x2070,
                           0x2070, 0x2074, 0x2079, 0x2080, 0x2089, 0x2150, 0x2182, 0x2185, 0x2189,
                           0x2460, 0x249B, 0x24EA, 0x24FF, 0x2776, 0x2793, 0x3007, 0x3007, 0x3021,
                           0x3029, 0x3038, 0x303A, 0x3220, 0x3229, 0x3280, 0x3289, 0xFF10, 0xFF19};
// ASCII; Latin 1 without ª µ º; × ÷; accents by themselves; “ — … € →; of Chinese; wide ones; emoji
constexpr int kSigns[] = {
    0,      64,     91,     96,     123,    0xA9,   0xAB,   0xB4,   0xB6,    0xB8,   0xBB,   0xBF,
    0xD7,   0xD7,   0xF7,   0xF7,   0x2C2,  0x2C5,  0x2D2,  0x2DF,  0x300,   0x36F,  0x37E,  0x37E,
    0x384,  0x385,  0x387,  0x387,  0x482,  0x489,  0x200B, 0x206F, 0x207A,  0x207E, 0x208A, 0x208E,
    0x20A0, 0x2101, 0x2103, 0x2106, 0x2108, 0x2109, 0x2116, 0x2117, 0x211E,  0x2123, 0x218A, 0x2BFF,
    0x2E00, 0x2E2E, 0x2E30, 0x3004, 0x3008, 0x3020, 0x3030, 0x3030, 0x30FB,  0x30FB, 0xFE00, 0xFE6B,
    0xFF01, 0xFF20, 0xFF3B, 0xFF40, 0xFF5B, 0xFF65, 0xFFE0, 0xFFFD, 0x1F000, 0x1FBFF};

/// A character in none of the ranges is a letter.
inline Kind kind_of(int code) {
  const auto in = [code](std::span<const int> ranges) {
    const auto above = std::ranges::upper_bound(ranges, code) - ranges.begin();
    return above % 2 == 1 || (above > 0 && ranges[above - 1] == code);
  };
  if (in(kBlanks)) return Kind::kBlank;
  if (in(kDigits)) return Kind::kDigit;
  return in(kSigns) ? Kind::kOther : Kind::kLetter;
}

/// The kind of the character that begins at a byte, and its number of bytes.
inline std::pair<Kind, std::size_t> kind(const std::string& text, std::size_t at) {
  const int first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const std::size_t end = std::min(at + bytes, text.size());
  int code = bytes == 1 ? first : first & 0xFF >> (bytes + 1);
  for (std::size_t i = at + 1; i < end; ++i) code = code << 6 | (text[i] & 0x3F);
  return {kind_of(code), end - at};
}
// [kind]

// [pieces]
/// The pieces that merges stay within: words, numbers and signs, each with the space before it.
inline std::vector<std::string> gpt2_pieces(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = at;
    for (const std::string ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
      if (end == at && text.compare(at, ending.size(), ending) == 0) end += ending.size();
    }
    if (end == at) {
      const bool spaced = text[at] == ' ' && at + 1 < text.size();
      const Kind own = kind(text, at + spaced).first;
      std::size_t last = at;  // where the last character of the piece begins

      if (spaced && own != Kind::kBlank) ++end;  // the space; blanks are all counted below
      while (end < text.size() && kind(text, end).first == own)
        last = end, end += kind(text, end).second;
      if (own == Kind::kBlank && end < text.size() && last > at) end = last;  // for the next word
    }
    pieces.push_back(text.substr(at, end - at));
  }
  return pieces;
}
// [pieces]

// [Gpt2Tokenizer]
/// Chapter 17's merges, under GPT-2's numbers.
struct Gpt2Tokenizer {
  explicit Gpt2Tokenizer(const std::string& folder) {
    std::map<std::string, std::int32_t> number;
    for (const auto& each : flat_json(read_text(folder + "/vocab.json"))) {
      number[unescaped(each.first)] = std::stoi(each.second);
    }
    pairs.pieces.assign(number.size(), "");
    for (const std::string& character : byte_characters()) {
      pairs.pieces.at(number.at(character)) = static_cast<char>(bytes.size());
      bytes.push_back(number.at(character));
    }
    std::ifstream file(folder + "/merges.txt");
    std::string version, left, right;
    std::getline(file, version);
    for (std::int32_t last = 0; file >> left >> right;) {
      const Pair pair(number.at(left), number.at(right));
      const std::int32_t token = number.at(left + right);
      check(token > last, "merges: encode_word takes the order for that of the numbers");
      pairs.merges[pair] = last = token;
      pairs.pieces.at(token) = pairs.pieces[pair.first] + pairs.pieces[pair.second];
    }
  }
  Tokens encode(const std::string& text) const {
    Tokens tokens;
    for (const std::string& piece : gpt2_pieces(text)) {
      Tokens word;
      for (const char c : piece) word.push_back(bytes[static_cast<unsigned char>(c)]);
      for (const std::int32_t token : pairs.encode_word(word)) tokens.push_back(token);
    }
    return tokens;
  }
  BytePairTokenizer pairs;
  Tokens bytes;  // the token of each byte
};
// [Gpt2Tokenizer]
