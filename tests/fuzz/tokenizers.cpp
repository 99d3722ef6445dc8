/// @file
/// Tokenizers in every kind of file, with the rules of their folder, and a text to encode.
#include "nn/files/text_rules_files.h"
#include "nn/files/tokenizer_files.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

namespace fs = std::filesystem;

void fuzz(std::string_view input) {
  static const FuzzFolder folder("tokenizer"), written("written");
  for (const FuzzFolder* each : {&folder, &written}) {
    for (const auto& entry : fs::directory_iterator(each->path())) fs::remove_all(entry);
  }
  auto parts =
      parts_of(input, {"tokenizer.json", "gradus_tokenizer.json", "vocab.json", "merges.txt",
                       "vocab.txt", "tokenizer_config.json", "generation_config.json",
                       "chat_template.jinja", "config.json", "text"});
  const std::string text = parts["text"];
  parts.erase("text");
  for (const auto& [name, bytes] : parts) folder.file(name, bytes);
  std::unique_ptr<Tokenizer> found;
  if (!accepts([&] { found = load_tokenizer(folder.path()); })) return;
  accepts([&] { found->set_rules(load_text_rules(folder.path(), *found)); });

  const Tokenizer& tokenizer = *found;
  const bool is_exact = tokenizer.name() == "char" || tokenizer.name() == "byte";
  std::vector<std::int32_t> tokens;
  const bool is_encoded = accepts([&] { tokens = tokenizer.encode(text); });
  if (is_encoded) {
    for (const std::int32_t token : tokens) {
      holds(token >= 0 && token < tokenizer.vocab_size(), "a token is in the vocabulary");
    }
    holds(tokenizer.encode(text) == tokens, "the same text gives the same tokens");
    const std::string decoded = tokenizer.decode(tokens);
    holds(!is_exact || decoded == text, "a text is decoded as it was");
    static_cast<void>(tokenizer.decode_continuation(tokenizer.encode_continuation(text)));
    static_cast<void>(tokenizer.unknown_words(text));
  }
  for (std::int32_t token = 0; token < std::min(tokenizer.vocab_size(), 300); ++token) {
    static_cast<void>(tokenizer.piece(token));
    static_cast<void>(tokenizer.is_special(token));
  }
  holds(!accepts([&] { static_cast<void>(tokenizer.piece(tokenizer.vocab_size())); }),
        "a token outside the vocabulary is refused");

  save_tokenizer(tokenizer, written.path());
  const std::unique_ptr<Tokenizer> again = load_tokenizer(written.path());
  holds(again->vocab_size() == tokenizer.vocab_size(), "a vocabulary is read back as it was");
  std::vector<std::int32_t> same;
  holds(accepts([&] { same = again->encode(text); }) == is_encoded && same == tokens,
        "a tokenizer that was read again gives the same tokens");
}

}  // namespace gradus
