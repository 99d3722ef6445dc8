/// @file
/// `gradus tokenize`: learns tokens from a text, and shows a text in tokens.

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "autograd/check.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/program/learn_shown.h"
#include "cli/run/checkpoints.h"
#include "cli/tasks/texts.h"
#include "nn/files/byte_pair_files.h"
#include "nn/files/checkpoint.h"
#include "nn/files/replace_folder.h"
#include "nn/files/tokenizer_files.h"
#include "nn/files/word_piece_files.h"
#include "nn/text/file.h"
#include "nn/text/metaspace_tokenizer.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizeExamples =
    "With --text or --tokenizer, the command trains a tokenizer on --text, or on the bundled\n"
    "tales. --out_dir saves it: bpe as tokenizer.json, vocab.json and merges.txt, and\n"
    "wordpiece as tokenizer.json and vocab.txt, all in Hugging Face's format; other kinds as\n"
    "gradus_tokenizer.json. Without --text and --tokenizer, the command uses the tokenizer of\n"
    "--out_dir (which may be the folder of a run) or of --checkpoint (which may be a\n"
    "tokenizer.json, such as Hugging Face's of GPT-2). Without all of these, it uses the newest "
    "model in gradus train's\n"
    "default folders.\n"
    "\n"
    "Examples:\n"
    "  gradus tokenize --text notes.txt --tokenizer bpe --vocab_size 1000 --out_dir=tokens\n"
    "  gradus tokenize --out_dir=tokens --encode 'The fox' --pieces\n"
    "  gradus tokenize --out_dir=tokens --encode - < notes.txt > numbers.txt\n"
    "  gradus tokenize --out_dir=tokens --decode - < numbers.txt\n"
    "  gradus tokenize --out_dir=tokens --merges 20\n"
    "  gradus tokenize --checkpoint=gpt2/tokenizer.json --decode '464 21831'\n";

struct TokenizeRequest {
  std::vector<std::string> texts;
  bool keep_crlf = false;
  std::string tokenizer = "bpe";
  int vocab_size = 0;
  bool overwrite = false;
  std::string out_dir, checkpoint = "best";
  std::string encode, decode;
  bool pieces = false, specials = false;
  int merges = 0;
};

std::unique_ptr<Tokenizer> find_tokenizer(const TokenizeRequest& request) {
  const std::string& which = request.checkpoint;
  const bool is_path = which != "best" && which != "last";
  check(!is_path || request.out_dir.empty(), "--out_dir and --checkpoint=", which,
        ": name two tokenizers (choose one)");
  if (is_path && fs::is_regular_file(which)) {
    return tokenizer_from_json(read_text_file(which, kLargestText), which);
  }
  if (request.out_dir.empty() && !is_path) return load_tokenizer(chosen_checkpoint("", which));
  const fs::path named = is_path ? which : request.out_dir;
  return load_tokenizer(holds_tokenizer(named) ? named : find_checkpoint(request.out_dir, which));
}

/// Checks the output folder before time is spent on learning.
void check_place(const TokenizeRequest& request) {
  if (request.out_dir.empty() || request.overwrite) return;
  check(!holds_checkpoint(request.out_dir), request.out_dir,
        ": contains a model and its tokenizer (choose another --out_dir)");
  check(!holds_tokenizer(request.out_dir), request.out_dir,
        ": already contains a tokenizer (choose another --out_dir, or add --overwrite)");
}

void keep(const Tokenizer& tokenizer, const fs::path& folder, bool overwrite) {
  make_folder(folder);
  if (overwrite && holds_tokenizer(folder)) {
    for (const char* name : {kVocabularyFile, kMergesFile, kWordPiecesFile, kTokenizerConfigFile}) {
      fs::remove(folder / name);  // the replaced tokenizer may be of another kind
    }
  }
  save_tokenizer(tokenizer, folder);
  if (const auto* pairs = dynamic_cast<const BytePairTokenizer*>(&tokenizer)) {
    save_vocabulary_and_merges(pairs->pairs(), folder);
  }
}

std::unique_ptr<Tokenizer> learn(const TokenizeRequest& request) {
  check_place(request);
  const Text read = read_texts(request.texts, request.keep_crlf);
  auto tokenizer = learn_shown(request.tokenizer, read, request.vocab_size);
  if (!request.out_dir.empty()) keep(*tokenizer, request.out_dir, request.overwrite);
  const auto tokens = static_cast<double>(tokenizer->encode(read.bytes()).size());
  // BERT's tokenizer gives no tokens for a text of blanks alone.
  const std::string bytes_each =
      tokens > 0
          ? "a token of this text has " +
                fixed(static_cast<double>(read.bytes().size()) / tokens, 2) + " bytes on average"
          : "this text has no tokens";
  note(text(read.name(), ": learned a vocabulary of ", tokenizer->vocab_size(), " tokens; ",
            bytes_each, request.out_dir.empty() ? "" : "; saved in " + request.out_dir));
  return tokenizer;
}

/// Bytes in quotes, with escapes for invisible characters and bytes that are no character.
std::string in_quotes(std::string_view bytes) {
  std::string out = "\"";
  for (std::size_t at = 0; at < bytes.size();) {
    const auto [character, length, state] = read_utf8(bytes, at);
    if (state == Utf8::kValid) {
      out += (character == '"' || character == '\\' ? "\\" : "") + shown(character);
    }
    for (std::size_t i = 0; state != Utf8::kValid && i < length; ++i) {
      std::array<char, 8> hex;
      std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned char>(bytes[at + i]));
      out += hex.data();
    }
    at += length;
  }
  return out + "\"";
}

/// The value of a flag, or standard input if the value is "-".
std::string value_or_input(const std::string& value) {
  return value == "-" ? read_stream(stdin, "standard input", kLargestText) : value;
}

std::vector<std::int32_t> encoded(const TokenizeRequest& request, const Tokenizer& tokenizer) {
  const std::string bytes = value_or_input(request.encode);
  try {
    if (!request.specials) return tokenizer.encode(bytes);
    if (const auto* metaspace = dynamic_cast<const MetaspaceTokenizer*>(&tokenizer)) {
      return metaspace->encode_with_specials(bytes);
    }
    const auto* pairs = dynamic_cast<const BytePairTokenizer*>(&tokenizer);
    check(pairs != nullptr, "--specials: a ", tokenizer.name(),
          " tokenizer reads no special tokens in a text (leave it out)");
    return pairs->encode_with_specials(bytes);
  } catch (const TextError& error) {
    if (request.encode == "-") throw std::runtime_error(text("standard input: ", error.what()));
    fail("--encode: ", error.what());
  }
}

void print_encoded(const TokenizeRequest& request, const Tokenizer& tokenizer) {
  std::string out;
  for (const std::int32_t token : encoded(request, tokenizer)) {
    if (request.pieces) {
      out += text(token, " ", in_quotes(tokenizer.piece(token)), "\n");
    } else {
      out += (out.empty() ? "" : " ") + std::to_string(token);
    }
  }
  print(request.pieces ? out : out + "\n");
}

void print_decoded(const TokenizeRequest& request, const Tokenizer& tokenizer) {
  const std::string numbers = value_or_input(request.decode);
  std::vector<std::int32_t> tokens;
  constexpr std::string_view kBlanks = " \t\r\n,";
  for (std::size_t at = 0; (at = numbers.find_first_not_of(kBlanks, at)) != std::string::npos;) {
    const std::size_t end = std::min(numbers.find_first_of(kBlanks, at), numbers.size());
    std::int32_t token = 0;
    const auto [stop, error] = std::from_chars(&numbers[at], numbers.data() + end, token);
    check(error == std::errc() && stop == numbers.data() + end, "--decode: '",
          numbers.substr(at, std::min<std::size_t>(end - at, 40)),
          "' is not the number of a token");
    tokens.push_back(token);
    at = end;
  }
  print(tokenizer.decode(tokens));
}

void print_merges(const TokenizeRequest& request, const Tokenizer& tokenizer) {
  const auto* pairs = dynamic_cast<const BytePairTokenizer*>(&tokenizer);
  check(pairs != nullptr, "--merges: needs a bpe tokenizer, got a ", tokenizer.name(),
        " tokenizer");
  const auto& merges = pairs->pairs().merges;
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(merges.size(), request.merges); ++i) {
    const auto [left, right] = merges[i];
    const std::int32_t made = pairs->result(i);
    out += text(i + 1, ": ", in_quotes(pairs->piece(left)), " + ", in_quotes(pairs->piece(right)),
                " = ", in_quotes(pairs->piece(made)), " (", made, ")\n");
  }
  print(out);
}

void print_summary(const Tokenizer& tokenizer) {
  std::string out =
      text("tokenizer   ", tokenizer.name(), "\ntokens      ", tokenizer.vocab_size(), "\n");
  if (const auto* pairs = dynamic_cast<const BytePairTokenizer*>(&tokenizer)) {
    out += text("merges      ", pairs->pairs().merges.size(), "\n");
    for (const std::int32_t token : pairs->pairs().specials) {
      out += text("special     ", token, " ", in_quotes(pairs->piece(token)), "\n");
    }
  }
  if (const auto* metaspace = dynamic_cast<const MetaspaceTokenizer*>(&tokenizer)) {
    out += text("merges      ", metaspace->parts().merges.size(), "\n");
  }
  print(out);
}

void add_flags(Flags& flags, TokenizeRequest& r) {
  flags.group("Train");
  flags.add("--text", r.texts, "text file to train on (- for standard input); may be repeated",
            "FILE");
  flags.add(kKeepCrlf, r.keep_crlf, kKeepCrlfHelp);
  flags.add("--tokenizer", r.tokenizer,
            "kind to train: char, byte, bpe (byte pairs), word or\nwordpiece (BERT's)", "KIND", {},
            {kTokenizerKinds.begin(), kTokenizerKinds.end()});
  flags.add("--vocab_size", r.vocab_size,
            text("maximum number of tokens (bpe, word, wordpiece); 0: ", kUsualVocabulary), 0);
  flags.add("--overwrite", r.overwrite, "replace the tokenizer in --out_dir");
  flags.group("Files");
  flags.add("--out_dir", r.out_dir, "folder to save the new tokenizer in, or to read one from",
            "DIR");
  flags.add("--checkpoint", r.checkpoint,
            "tokenizer to use: best, last, a folder or a tokenizer.json", "WHICH");
  flags.group("Use");
  flags.add("--encode", r.encode, "print the tokens of this text (- for standard input)", "TEXT");
  flags.add("--pieces", r.pieces, "with --encode: print one token per line, with its text");
  flags.add("--specials", r.specials, "with --encode: read <|endoftext|> as a special token");
  flags.add("--decode", r.decode, "print the text of these tokens (- for standard input)",
            "NUMBERS");
  flags.add("--merges", r.merges, "print the first N merges (bpe)", 1);
  flags.footer(kTokenizeExamples);
}

}  // namespace

int tokenize_command(const Arguments& arguments) {
  TokenizeRequest request;
  Flags flags("tokenize", "Trains a tokenizer, or encodes and decodes text with one.");
  add_flags(flags, request);
  if (!flags.parse(arguments)) {
    return 0;
  }
  const int uses = (request.encode.empty() ? 0 : 1) + (request.decode.empty() ? 0 : 1) +
                   (request.merges == 0 ? 0 : 1);
  check(uses <= 1, "--encode, --decode and --merges: cannot be combined (choose one)");
  check(!request.encode.empty() || !(request.pieces || request.specials),
        "--pieces and --specials: only with --encode (add --encode TEXT)");
  const bool learns = flags.given("--text") || flags.given("--tokenizer");
  check(learns || !(flags.given("--vocab_size") || request.overwrite || request.keep_crlf),
        "--vocab_size, --keep_crlf and --overwrite: only to train a tokenizer (add --text or "
        "--tokenizer)");
  check(!request.overwrite || !request.out_dir.empty(),
        "--overwrite: needs --out_dir, the folder of the new tokenizer (add it)");
  check(!learns || uses > 0 || !request.out_dir.empty(),
        "tokenize: needs a folder for the new tokenizer (add --out_dir)");
  check(
      !learns || !flags.given("--checkpoint"),
      "--checkpoint: only to use a tokenizer, not to train one (leave out --checkpoint or --text)");
  const std::unique_ptr<Tokenizer> tokenizer = learns ? learn(request) : find_tokenizer(request);
  if (!request.encode.empty()) {
    print_encoded(request, *tokenizer);
  } else if (!request.decode.empty()) {
    print_decoded(request, *tokenizer);
  } else if (request.merges > 0) {
    print_merges(request, *tokenizer);
  } else if (!learns) {
    print_summary(*tokenizer);
  }
  return 0;
}

}  // namespace gradus
