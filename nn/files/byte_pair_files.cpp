#include "nn/files/byte_pair_files.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/files/read_model_file.h"
#include "nn/files/tokenizer_json.h"
#include "nn/text/byte_level.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kLargestFile = std::size_t{64} << 20;

std::string type_of(const Json& part) {
  const Json type = setting(part, "type");
  return type.is_string() ? type.get<std::string>() : type.dump();
}

/// The parts of a Sequence, or the part itself.
std::vector<Json> parts_of(const Json& part, const char* key) {
  if (type_of(part) != "Sequence") return {part};
  const Json parts = setting(part, key);
  check(parts.is_array(), "a Sequence has no list ", quoted(key));
  return parts;
}

void require_byte_level(const Json& part, const char* where) {
  check(type_of(part) == "ByteLevel", where, " is not of the type \"ByteLevel\"");
}

/// The expression of a Split, each match of which is a piece.
std::string split_expression(const Json& part) {
  allow_only(part, "pre_tokenizer", "behavior", "Isolated");
  allow_only(part, "pre_tokenizer", "invert", false);
  const Json pattern = setting(part, "pattern");
  const Json expression = setting(pattern, "Regex"), literal = setting(pattern, "String");
  check(expression.is_string() || (literal.is_string() && !literal.empty()),
        "pre_tokenizer has a Split without a \"Regex\" or \"String\"");
  if (expression.is_string()) return expression.get<std::string>();
  std::string escaped;
  for (const char c : literal.get<std::string>()) {
    const bool is_plain = static_cast<unsigned char>(c) >= 0x80 || std::isalnum(c) || c == ' ';
    escaped += is_plain ? std::string(1, c) : std::string{'\\', c};
  }
  return escaped;
}

/// Reads how texts are cut: Split and Digits, and at the end ByteLevel.
std::vector<std::string> read_cut(const Json& json) {
  std::vector<std::string> cut;
  const std::vector<Json> parts = parts_of(setting(json, "pre_tokenizer"), "pretokenizers");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string type = type_of(parts[i]);
    if (i + 1 == parts.size()) {
      require_byte_level(parts[i], "pre_tokenizer");
      // The default in Hugging Face's tokenizers is true.
      check(setting(parts[i], "add_prefix_space") == false,
            "pre_tokenizer has add_prefix_space, which is not supported");
      if (setting(parts[i], "use_regex") != false) cut.push_back(gpt2_expression());
    } else if (type == "Split") {
      cut.push_back(split_expression(parts[i]));
    } else if (type == "Digits") {
      cut.push_back(setting(parts[i], "individual_digits") == true ? "\\p{N}" : "\\p{N}+");
    } else {
      fail("pre_tokenizer has a part of the type ", quoted(type),
           ", which is not supported (only Split, Digits and ByteLevel)");
    }
  }
  check(!parts.empty(), "pre_tokenizer is not of the type \"ByteLevel\"");
  return cut;
}

/// Whether the normalizer is normal form C.
bool read_normalizer(const Json& json) {
  const Json normalizer = setting(json, "normalizer");
  if (normalizer.is_null()) return false;
  const std::vector<Json> parts = parts_of(normalizer, "normalizers");
  for (const Json& part : parts) {
    check(type_of(part) == "NFC", "has a normalizer of the type ", quoted(type_of(part)),
          ", which is not supported (only NFC)");
  }
  return !parts.empty();
}

/// Checks the post_processor: parts that add special tokens around a text, which gradus does not.
/// Returns whether gradus writes it too.
bool check_post_processor(const Json& json) {
  const Json processor = setting(json, "post_processor");
  for (const Json& part : parts_of(processor, "processors")) {
    const std::string type = type_of(part);
    check(part.is_null() || type == "ByteLevel" || type == "TemplateProcessing",
          "post_processor has a part of the type ", quoted(type),
          ", which is not supported (only ByteLevel and TemplateProcessing)");
  }
  return processor.is_null() || type_of(processor) == "ByteLevel" || is_bert_framing(processor);
}

void check_model(const Json& model) {
  // The oldest files do not contain the type.
  check(model.is_object() && model.value("type", Json("BPE")) == "BPE",
        "model is not of the type \"BPE\"");
  allow_only(model, "model", "dropout", 0);
  allow_only(model, "model", "continuing_subword_prefix", "");
  allow_only(model, "model", "end_of_word_suffix", "");
  allow_only(model, "model", "byte_fallback", false);
}

BytePairs assemble(const NumberedTokens& written, const std::vector<WrittenMerge>& merges) {
  BytePairs pairs;
  std::set<std::string> marks = written.specials;
  for (const AddedToken& token : written.added) marks.insert(token.content);
  for (const std::string& token : written.tokens) {
    if (marks.contains(token)) {
      if (written.specials.contains(token)) {
        pairs.specials.push_back(static_cast<std::int32_t>(pairs.tokens.size()));
      }
      pairs.tokens.push_back(token);
      continue;
    }
    std::optional<std::string> bytes = from_byte_level(token);
    check(bytes.has_value(), "token ", quoted(token), " has a character that encodes no byte");
    pairs.tokens.push_back(std::move(*bytes));
  }
  for (const auto& [left, right] : merges) {
    const auto number_of = [&](const std::string& part, const std::string& whole) {
      const auto found = written.numbers.find(part);
      check(found != written.numbers.end(), "merge ", pairs.merges.size(), ", ", quoted(whole),
            ": ", quoted(part), " is not a token");
      return found->second;
    };
    const std::string whole = left + " " + right;
    pairs.merges.emplace_back(number_of(left, whole), number_of(right, whole));
  }
  return pairs;
}

nlohmann::ordered_json numbers_to_json(const BytePairs& pairs) {
  auto json = nlohmann::ordered_json::object();
  for (std::size_t token = 0; token < pairs.tokens.size(); ++token) {
    const std::string& bytes = pairs.tokens[token];
    const bool is_special =
        std::ranges::find(pairs.specials, static_cast<std::int32_t>(token)) != pairs.specials.end();
    // Append without a search: an ordered object is a list.
    json.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(
        is_special ? bytes : to_byte_level(bytes), token);
  }
  return json;
}

std::string written_merge(const BytePairs& pairs, std::size_t merge) {
  const auto& [left, right] = pairs.merges[merge];
  return to_byte_level(pairs.tokens[static_cast<std::size_t>(left)]) + " " +
         to_byte_level(pairs.tokens[static_cast<std::size_t>(right)]);
}

/// Puts the file's name before error messages.
template <class Read>
auto named(const fs::path& file, const Read& read) {
  try {
    return read();
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file.string() + ": not a tokenizer: " + error.what());
  }
}

std::string read(const fs::path& file) {
  return read_model_file(file.string(), kLargestFile, "a file of a tokenizer");
}

NumberedTokens read_numbers(const std::string& text) {
  const Json json = parse_json(text);
  check(json.is_object(), "is not a JSON object");
  return numbered_tokens(json);
}

std::vector<WrittenMerge> read_merges(const std::string& text) {
  std::vector<WrittenMerge> merges;
  std::size_t number = 0;
  for_each_line(text, [&](std::string_view line, bool) {
    ++number;
    if (line.empty() || (number == 1 && line.starts_with("#version"))) return;
    try {
      merges.push_back(split_merge(std::string(line), merges.size()));
    } catch (const std::invalid_argument& error) {
      fail("line ", number, ": ", error.what());
    }
  });
  return merges;
}

}  // namespace

std::string byte_pairs_to_json(const BytePairs& pairs) {
  if (!pairs.file.empty()) return pairs.file;
  using Ordered = nlohmann::ordered_json;
  const Ordered byte_level = {{"type", "ByteLevel"},
                              {"add_prefix_space", false},
                              {"trim_offsets", true},
                              {"use_regex", true}};
  Ordered added = Ordered::array(), merges = Ordered::array();
  for (const std::int32_t token : pairs.specials) {
    added.push_back(added_token(pairs.tokens[static_cast<std::size_t>(token)], token));
  }
  for (std::size_t merge = 0; merge < pairs.merges.size(); ++merge) {
    merges.push_back(written_merge(pairs, merge));
  }
  Ordered model = {{"type", "BPE"},
                   {"dropout", nullptr},
                   {"unk_token", nullptr},
                   {"continuing_subword_prefix", nullptr},
                   {"end_of_word_suffix", nullptr},
                   {"fuse_unk", false},
                   {"byte_fallback", false},
                   {"ignore_merges", false}};
  model["vocab"] = numbers_to_json(pairs);
  model["merges"] = std::move(merges);
  Ordered json = {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}};
  json["added_tokens"] = std::move(added);
  json["normalizer"] = nullptr;
  json["pre_tokenizer"] = byte_level;
  const std::optional<FrameTokens> frame = frame_tokens(pairs);
  json["post_processor"] = frame ? bert_framing(frame->begin, frame->end) : Ordered();
  json["decoder"] = byte_level;
  json["model"] = std::move(model);
  return json.dump(2);
}

BytePairs byte_pairs_from_json(const Json& json) {
  const std::vector<std::string> cut = read_cut(json);
  const bool composes = read_normalizer(json), is_own_frame = check_post_processor(json);
  require_byte_level(setting(json, "decoder"), "decoder");
  const Json& model = json["model"];
  check_model(model);
  const NumberedTokens written = all_tokens(json);
  check(model.contains("merges") && model["merges"].is_array(), "model has no list \"merges\"");
  std::vector<WrittenMerge> merges;
  for (const Json& entry : model["merges"]) merges.push_back(read_merge(entry, merges.size()));
  BytePairs pairs = assemble(written, merges);
  pairs.cut = cut;
  pairs.composes = composes;
  pairs.whole_pieces = setting(model, "ignore_merges") == true;
  pairs.begin = begin_of(setting(json, "post_processor"), pairs.tokens.size());
  std::ranges::copy_if(written.added, std::back_inserter(pairs.added),
                       [&](const AddedToken& token) {
                         return !token.special || token.single_word || token.left_strip ||
                                token.right_strip || (token.normalized && composes);
                       });
  const BytePairs own;
  if (pairs.cut != own.cut || composes || pairs.whole_pieces || !pairs.added.empty() ||
      !is_own_frame) {
    pairs.file = json.dump();
  }
  return pairs;
}

bool holds_vocabulary_and_merges(const fs::path& folder) {
  return fs::exists(folder / kVocabularyFile) && fs::exists(folder / kMergesFile);
}

void save_vocabulary_and_merges(const BytePairs& pairs, const fs::path& folder) {
  std::string lines = "#version: 0.2\n";
  for (std::size_t merge = 0; merge < pairs.merges.size(); ++merge) {
    lines += written_merge(pairs, merge) + "\n";
  }
  write_file((folder / kVocabularyFile).string(), numbers_to_json(pairs).dump() + "\n");
  write_file((folder / kMergesFile).string(), lines);
}

BytePairTokenizer load_vocabulary_and_merges(const fs::path& folder) {
  const fs::path vocabulary = folder / kVocabularyFile, lines = folder / kMergesFile;
  NumberedTokens written = named(vocabulary, [&] { return read_numbers(read(vocabulary)); });
  const auto merges = named(lines, [&] { return read_merges(read(lines)); });
  std::set<std::string> made;
  for (const auto& [left, right] : merges) made.insert(left + right);
  for (const std::string& token : written.tokens) {
    const std::optional<std::string> bytes = from_byte_level(token);
    if ((!bytes || bytes->size() > 1) && !made.contains(token)) written.specials.insert(token);
  }
  const BytePairs pairs = named(lines, [&] { return assemble(written, merges); });
  return named(folder / (text(kVocabularyFile, " with ", kMergesFile)),
               [&] { return BytePairTokenizer(pairs); });
}

}  // namespace gradus
