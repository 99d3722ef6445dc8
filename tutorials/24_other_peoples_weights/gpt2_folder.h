/// @file
/// A folder in the layout of Hugging Face's GPT-2: its names, its sizes, and its tokenizer.
#pragma once

#include <cctype>

#if __has_include("pocket/weights.h")
#include "pocket/tokens.h"  // of the program: with --mine, the reader's
#include "pocket/weights.h"
#else
#include "tutorials/pocket/tokens.h"  // an exercise
#include "tutorials/pocket/weights.h"
#endif

using namespace pocket;

// [from_gpt2]
/// GPT-2's tensors by the names of Gpt. c_attn [C, 3 C] is query, key and value side by side.
inline NamedTensors from_gpt2(const NamedTensors& theirs) {
  NamedTensors ours;
  for (const auto& [name, x] : theirs) {
    if (name.ends_with(".attn.bias")) continue;  // the causal mask, not a parameter
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
/// A Gpt of the sizes in config.json, with its initial values.
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
/// What goes through a GPT: x after the embedding, after each block and after ln_f.
inline std::vector<Tensor> stages(const Gpt& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  std::vector<Tensor> x{model.wpe.embed(model.wte(tokens))};
  for (const Block& block : model.h) x.push_back(block(x.back(), {.causal = true}));
  x.push_back(model.ln_f(x.back()));
  return x;
}

/// The name of each stage: the embedding, block 0, block 1 and so on, ln_f.
inline std::vector<std::string> names_of_stages(const Gpt& model) {
  std::vector<std::string> names{"the embedding"};
  for (std::size_t i = 0; i < model.h.size(); ++i) names.push_back("block " + std::to_string(i));
  names.push_back("ln_f");
  return names;
}
// [stages]

// [utf8]
/// A character by its number in Unicode, as one, two or three bytes.
inline std::string utf8(int code) {
  const auto low = [&](int bits) { return static_cast<char>(0x80 | (code >> bits & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), low(0)};
  return {static_cast<char>(0xE0 | code >> 12), low(6), low(0)};
}

/// A string of a JSON text, of which the escapes such as \u0120 are undone.
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

// [pieces]
enum class Kind { kBlank, kLetter, kDigit, kOther };

inline Kind kind(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (std::isspace(byte)) return Kind::kBlank;
  if (std::isalpha(byte) || byte > 127) return Kind::kLetter;  // GPT-2 asks Unicode
  return std::isdigit(byte) ? Kind::kDigit : Kind::kOther;
}

/// Where no merge goes across: words, numbers and signs, each with the space before it.
inline std::vector<std::string> gpt2_pieces(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = at;
    for (const std::string ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
      if (end == at && text.compare(at, ending.size(), ending) == 0) end += ending.size();
    }
    if (end == at) {
      const bool spaced = text[at] == ' ' && at + 1 < text.size();
      const Kind own = kind(text[spaced ? at + 1 : at]);
      end += spaced && own != Kind::kBlank;
      while (end < text.size() && kind(text[end]) == own) ++end;
      if (own == Kind::kBlank && end < text.size() && end - at > 1) --end;  // is the next word's
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
