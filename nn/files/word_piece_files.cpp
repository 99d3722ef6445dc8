#include "nn/files/word_piece_files.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/files/read_model_file.h"
#include "nn/files/tokenizer_json.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t kLargestVocabulary = std::size_t{16} << 20;

/// Reads the settings of a normalizer or a tokenizer_config.json, which have different names for
/// them.
BertNormalisation normalisation_of(const Json& part, const char* where, const char* lower_case,
                                   const char* chinese) {
  const auto flag = [&](const char* key, bool otherwise) {
    const Json value = setting(part, key);
    check(value.is_null() || value.is_boolean(), where, " has ", key, " ", value.dump(),
          ", which is neither true nor false");
    return value.is_null() ? otherwise : value.get<bool>();
  };
  allow_only(part, where, chinese, true);
  const bool lower = flag(lower_case, true);
  return {lower, flag("strip_accents", lower)};  // the default is both or neither
}

BertNormalisation checked_settings(const Json& json) {
  const auto typed = [&](const char* key, const char* type) {
    const Json part = setting(json, key);
    check(part.is_object() && setting(part, "type") == type, key, " is not of the type \"", type,
          "\"");
    return part;
  };
  const Json normalizer = typed("normalizer", "BertNormalizer");
  allow_only(normalizer, "normalizer", "clean_text", true);
  typed("pre_tokenizer", "BertPreTokenizer");
  const Json frame = setting(json, "post_processor");
  check(frame.is_null() || is_bert_framing(frame),
        "post_processor does not put [CLS] before a text and [SEP] behind it, as BERT's does");
  const Json& model = json["model"];
  allow_only(model, "model", "unk_token", "[UNK]");
  allow_only(model, "model", "continuing_subword_prefix", "##");
  allow_only(model, "model", "max_input_chars_per_word", kLongestBertWord);
  return normalisation_of(normalizer, "normalizer", "lowercase", "handle_chinese_chars");
}

}  // namespace

std::string word_pieces_to_json(const WordPieceTokenizer& tokenizer) {
  Ordered added = Ordered::array();
  auto vocabulary = Ordered::object();
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    if (tokenizer.is_special(token)) added.push_back(added_token(tokenizer.piece(token), token));
    // Append without a search: an ordered object is a list.
    vocabulary.get_ref<Ordered::object_t&>().emplace_back(tokenizer.piece(token), token);
  }
  const BertNormalisation& normalisation = tokenizer.normalisation();
  Ordered json = {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}};
  json["added_tokens"] = std::move(added);
  json["normalizer"] = {{"type", "BertNormalizer"},
                        {"clean_text", true},
                        {"handle_chinese_chars", true},
                        {"strip_accents", normalisation.strip_accents},
                        {"lowercase", normalisation.lower_case}};
  json["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
  json["post_processor"] = bert_framing(tokenizer.cls(), tokenizer.sep());
  json["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  json["model"] = {{"type", "WordPiece"},
                   {"unk_token", "[UNK]"},
                   {"continuing_subword_prefix", "##"},
                   {"max_input_chars_per_word", kLongestBertWord},
                   {"vocab", std::move(vocabulary)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

bool holds_word_pieces(const Json& json) {
  const Json model = setting(json, "model");
  // The oldest files do not contain the type.
  return model.is_object() &&
         (setting(model, "type") == "WordPiece" ||
          (!model.contains("type") && model.contains("max_input_chars_per_word")));
}

WordPieceTokenizer word_pieces_from_json(const Json& json) {
  const BertNormalisation normalisation = checked_settings(json);
  NumberedTokens all = all_tokens(json);
  require_plain_specials(all.added);
  WordPieceSpecials specials;
  for (const std::string& token : all.specials) specials.others.push_back(all.numbers.at(token));
  return WordPieceTokenizer(std::move(all.tokens), normalisation, std::move(specials));
}

void save_bert_vocabulary(const WordPieceTokenizer& tokenizer, const fs::path& folder) {
  save_word_pieces(tokenizer, folder / kWordPiecesFile);
  const Ordered config = {{"tokenizer_class", "BertTokenizer"},
                          {"do_lower_case", tokenizer.normalisation().lower_case},
                          {"strip_accents", tokenizer.normalisation().strip_accents},
                          {"tokenize_chinese_chars", true},
                          {"pad_token", "[PAD]"},
                          {"unk_token", "[UNK]"},
                          {"cls_token", "[CLS]"},
                          {"sep_token", "[SEP]"},
                          {"mask_token", "[MASK]"}};
  write_file((folder / kTokenizerConfigFile).string(), config.dump(2) + "\n");
}

WordPieceTokenizer load_bert_vocabulary(const fs::path& folder) {
  const fs::path config = folder / kTokenizerConfigFile;
  BertNormalisation normalisation;
  if (fs::exists(config)) {
    try {
      const Json json = parse_json(read_model_file(config.string(), kLargestVocabulary));
      check(json.is_object(), "is not a JSON object");
      allow_only(json, "it", "do_basic_tokenize", true);
      normalisation = normalisation_of(json, "it", "do_lower_case", "tokenize_chinese_chars");
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(config.string() +
                               ": not a valid tokenizer configuration: " + error.what());
    }
  }
  return load_word_pieces(folder / kWordPiecesFile, normalisation);
}

void save_word_pieces(const WordPieceTokenizer& tokenizer, const fs::path& file) {
  std::string lines;
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    lines += tokenizer.piece(token) + "\n";
  }
  write_file(file.string(), lines);
}

WordPieceTokenizer load_word_pieces(const fs::path& file, const BertNormalisation& normalisation) {
  const std::string lines = read_model_file(file.string(), kLargestVocabulary, "a text file");
  std::vector<std::string> vocabulary;
  for_each_line(lines, [&](std::string_view line, bool) { vocabulary.emplace_back(line); });
  try {
    check_utf8(lines);  // a tokenizer.json can hold only UTF-8
    return WordPieceTokenizer(std::move(vocabulary), normalisation);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(file.string() + ": not a tokenizer: " + error.what());
  }
}

}  // namespace gradus
