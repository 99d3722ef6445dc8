#include "nn/files/byte_pair_files.h"

#include <algorithm>
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

using WrittenMerge = std::pair<std::string, std::string>;

void require_byte_level(const Json& json, const char* where, bool may_lack) {
  const Json part = setting(json, where);
  if (may_lack && part.is_null()) return;
  check(part.is_object() && setting(part, "type") == "ByteLevel", where,
        " is not of the type \"ByteLevel\"");
  allow_only(part, where, "use_regex", true);
}

void check_settings(const Json& json) {
  check(setting(json, "normalizer").is_null(), "has a normalizer, which is not supported");
  require_byte_level(json, "pre_tokenizer", false);
  // The default in Hugging Face's tokenizers is true.
  check(setting(json["pre_tokenizer"], "add_prefix_space") == false,
        "pre_tokenizer has add_prefix_space, which is not supported");
  const Json frame = setting(json, "post_processor");  // files written here can have BERT's frame
  if (setting(frame, "type") != "TemplateProcessing" || !is_bert_framing(frame)) {
    require_byte_level(json, "post_processor", true);
  }
  require_byte_level(json, "decoder", false);
  const Json& model = json["model"];
  // The oldest files do not contain the type.
  check(model.is_object() && model.value("type", Json("BPE")) == "BPE",
        "model is not of the type \"BPE\"");
  allow_only(model, "model", "dropout", 0);
  allow_only(model, "model", "continuing_subword_prefix", "");
  allow_only(model, "model", "end_of_word_suffix", "");
  allow_only(model, "model", "ignore_merges", false);
}

BytePairs assemble(const NumberedTokens& written, const std::vector<WrittenMerge>& merges) {
  BytePairs pairs;
  for (const std::string& token : written.tokens) {
    if (written.specials.contains(token)) {
      pairs.specials.push_back(static_cast<std::int32_t>(pairs.tokens.size()));
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

WrittenMerge split_merge(const std::string& line, std::size_t merge) {
  const std::size_t blank = line.find(' ');
  const bool is_pair = blank != std::string::npos && blank > 0 && blank + 1 < line.size() &&
                       line.find(' ', blank + 1) == std::string::npos;
  check(is_pair, "merge ", merge, " must be two tokens with one blank between them, got ",
        quoted(line));
  return {line.substr(0, blank), line.substr(blank + 1)};
}

WrittenMerge read_merge(const Json& json, std::size_t merge) {
  if (json.is_string()) return split_merge(json.get_ref<const std::string&>(), merge);
  const bool is_pair =
      json.is_array() && json.size() == 2 && json[0].is_string() && json[1].is_string();
  check(is_pair, "merge ", merge, " is neither a string nor a list of two strings");
  return {json[0].get<std::string>(), json[1].get<std::string>()};
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
  check_settings(json);
  const Json& model = json["model"];
  const NumberedTokens written = all_tokens(json);
  check(model.contains("merges") && model["merges"].is_array(), "model has no list \"merges\"");
  std::vector<WrittenMerge> merges;
  for (const Json& entry : model["merges"]) merges.push_back(read_merge(entry, merges.size()));
  return assemble(written, merges);
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
