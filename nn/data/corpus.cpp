#include "nn/data/corpus.h"

#include <algorithm>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/byte_tokenizer.h"
#include "nn/text/char_tokenizer.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"
#include "nn/text/word_piece_tokenizer.h"
#include "nn/text/word_tokenizer.h"

namespace gradus {
using namespace detail;
namespace {

std::vector<std::int32_t> encode(const Text& text, const Tokenizer& tokenizer) {
  try {
    return with_begin(tokenizer, tokenizer.encode(text.bytes()));
  } catch (const TextError& error) {
    throw text.blame(error);
  }
}

/// Makes a tokenizer of a known kind from the text.
std::unique_ptr<Tokenizer> learn_kind(const std::string& kind, const std::string& bytes, int limit,
                                      const LearningProgress& progress) {
  if (kind == "byte") return std::make_unique<ByteTokenizer>();
  if (kind == "char") return std::make_unique<CharTokenizer>(CharTokenizer::learn(bytes));
  if (kind == "word") return std::make_unique<WordTokenizer>(WordTokenizer::learn(bytes, limit));
  if (kind == "wordpiece") {
    return std::make_unique<WordPieceTokenizer>(
        WordPieceTokenizer::learn(bytes, limit, {}, progress));
  }
  return std::make_unique<BytePairTokenizer>(
      learn_byte_pairs(bytes, limit, {kEndOfText}, progress));
}

}  // namespace

void Text::append(std::string name, std::string_view bytes, LineEnds line_ends) {
  const std::size_t skipped = bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  bytes.remove_prefix(skipped);
  if (bytes.empty()) {
    throw std::runtime_error(name + ": is empty (use a file that contains text)");
  }
  if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += '\n';
  sources_.push_back({std::move(name), bytes_.size(), skipped, 0});
  bytes_ += bytes;
  Source& source = sources_.back();
  if (line_ends == LineEnds::kFold) source.folded = fold_line_ends(bytes_, source.begin);
}

std::size_t Text::folded() const {
  std::size_t folded = 0;
  for (const Source& source : sources_) folded += source.folded;
  return folded;
}

std::string Text::name() const {
  if (sources_.empty()) return "no text";
  const std::size_t more = sources_.size() - 1;
  return sources_[0].name + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::runtime_error Text::blame(const TextError& error) const {
  const auto after = std::ranges::upper_bound(sources_, error.byte(), {}, &Source::begin);
  const Source& source = after[-1];
  const std::string_view own = std::string_view(bytes_).substr(source.begin);
  const std::size_t at = error.byte() - source.begin;
  std::string place = byte_and_line(own, at, source.skipped);
  if (source.folded > 0) {  // folding changes byte positions, but not line numbers
    const std::string_view before = own.substr(0, at);
    place = text("line ", 1 + std::ranges::count(before, '\n'), " (byte ",
                 before.size() - (before.rfind('\n') + 1), " of it)");
  }
  return std::runtime_error(source.name + ": " + error.message_at(place));
}

Text read_text(const std::vector<std::string>& names, std::FILE* standard_input, std::size_t limit,
               LineEnds line_ends) {
  check(!names.empty(), "text: needs at least one file (pass one, or - for standard input)");
  check(std::ranges::count(names, "-") <= 1,
        "text: standard input can be read only once (pass - once)");
  Text text;
  for (const std::string& name : names) {
    const std::size_t left = limit - std::min(limit, text.bytes().size());
    if (const auto bundled = bundled_text(name)) {
      text.append("the bundled " + name, *bundled);
    } else if (name == "-") {
      text.append("standard input", read_stream(standard_input, "standard input", left), line_ends);
    } else {
      text.append(name, read_file(name, left), line_ends);
    }
  }
  return text;
}

std::unique_ptr<Tokenizer> learn_tokenizer(const std::string& kind, const Text& text,
                                           int vocab_size, const LearningProgress& progress) {
  const bool is_settled = kind == "char" || kind == "byte";
  check(std::ranges::find(kTokenizerKinds, kind) != kTokenizerKinds.end(),
        "tokenizer: unknown kind '", kind, "' (choose char, byte, bpe, word or wordpiece)");
  check(!is_settled || vocab_size == 0, "vocab_size: must be 0 for a ", kind,
        " tokenizer, which has one token for each ", kind == "char" ? "character" : "byte",
        "; got ", vocab_size, " (leave it out, or choose bpe or word)");
  const int limit = vocab_size == 0 ? kUsualVocabulary : vocab_size;
  try {
    auto tokenizer = learn_kind(kind, text.bytes(), limit, progress);
    const std::size_t size = tokenizer_to_json(*tokenizer).size();
    check(size < kLargestTokenizer, "vocab_size: the tokenizer's file must have fewer than ",
          kLargestTokenizer, " bytes, got ", size,
          " (choose a smaller vocab_size, or another tokenizer)");
    return tokenizer;
  } catch (const TextError& error) {
    throw text.blame(error);
  }
}

std::size_t target_bytes(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer) {
  return tokens.empty() ? 0 : tokenizer.decode(tokens.subspan(1)).size();
}

Corpus::Corpus(const Text& text, const Tokenizer& tokenizer)
    : name_(text.name()), text_bytes_(text.bytes().size()), tokens_(encode(text, tokenizer)) {}

std::span<const std::int32_t> Corpus::tokens(Split split) const {
  const std::span<const std::int32_t> all = tokens_;
  const std::size_t for_training = all.size() * 9 / 10;
  if (split == Split::kAll) return all;
  return split == Split::kTrain ? all.first(for_training) : all.subspan(for_training);
}

void Corpus::require_blocks(int block_size) const {
  check(block_size >= 1, "block_size must be at least 1, got ", block_size);
  const std::size_t all = tokens_.size();
  const std::size_t held_out = tokens(Split::kVal).size();
  const auto block = static_cast<std::size_t>(block_size);
  if (held_out > block) return;
  const std::string smaller =
      held_out > 1 ? text("choose --block_size below ", held_out, ", or ") : "";
  const std::string remedy =
      text(" (", smaller, "use a text of at least ", 10 * block + 1, " tokens)");
  if (all <= block) {
    fail(name_, ": the text is shorter than one block: ", all, " tokens, block_size ", block,
         remedy);
  }
  fail(name_, ": the last tenth, for validation, needs at least ", block + 1,
       " tokens for one block and the next token, got ", held_out, " of ", all, " tokens", remedy);
}

}  // namespace gradus
