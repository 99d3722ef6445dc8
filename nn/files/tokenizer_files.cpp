#include "nn/files/tokenizer_files.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/files/adapter_files.h"
#include "nn/files/byte_pair_files.h"
#include "nn/files/metaspace_files.h"
#include "nn/files/read_model_file.h"
#include "nn/files/tokenizer_json.h"
#include "nn/files/word_piece_files.h"
#include "nn/text/byte_tokenizer.h"
#include "nn/text/char_tokenizer.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"
#include "nn/text/word_tokenizer.h"

namespace gradus {
using namespace detail;
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

namespace fs = std::filesystem;

/// Returns the JSON of kOwnTokenizerFile, for kinds that Hugging Face's format cannot express.
Ordered own_json(const Tokenizer& tokenizer) {
  const std::string kind = tokenizer.name();
  check(kind == "char" || kind == "byte" || kind == "word" || kind == "wordpiece",
        "tokenizer: there is no file format for the kind '", kind,
        "' (add a format in tokenizer_files.cpp)");
  Ordered json = {{"type", kind}};
  if (const auto* pieces = dynamic_cast<const WordPieceTokenizer*>(&tokenizer)) {
    json["lower_case"] = pieces->normalisation().lower_case;
    json["strip_accents"] = pieces->normalisation().strip_accents;
  }
  if (kind == "byte") return json;
  Ordered& vocabulary = json["vocab"] = Ordered::array();
  for (std::int32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    vocabulary.push_back(tokenizer.piece(token));
  }
  return json;
}

char32_t one_character(const Json& entry, std::size_t token) {
  check(entry.is_string(), "token ", token, " is not a string");
  const std::u32string characters = utf8_decode(entry.get_ref<const std::string&>());
  check(characters.size() == 1, "token ", token, " must be one character, got ", characters.size());
  return characters[0];
}

CharTokenizer read_char_tokenizer(const Json& json) {
  allow_keys(json, {"type", "vocab"});
  check(json.contains("vocab") && json["vocab"].is_array(), "\"vocab\" must be a list");
  std::u32string vocabulary;
  for (const Json& entry : json["vocab"]) {
    vocabulary += one_character(entry, vocabulary.size());
  }
  return CharTokenizer(std::move(vocabulary));
}

std::vector<std::string> read_vocabulary(const Json& json) {
  check(json.contains("vocab") && json["vocab"].is_array(), "\"vocab\" must be a list");
  std::vector<std::string> vocabulary;
  for (const Json& entry : json["vocab"]) {
    check(entry.is_string(), "token ", vocabulary.size(), " is not a string");
    vocabulary.push_back(entry.get<std::string>());
  }
  return vocabulary;
}

bool read_switch(const Json& json, const char* key) {
  check(json.contains(key) && json[key].is_boolean(), "\"", key, "\" must be true or false");
  return json[key].get<bool>();
}

std::unique_ptr<Tokenizer> read_tokenizer(std::string_view text) {
  const Json json = parse_json(text);
  check(json.is_object(), "is not a JSON object");
  if (json.contains("model") && !json.contains("type")) {
    if (holds_word_pieces(json)) {
      return std::make_unique<WordPieceTokenizer>(word_pieces_from_json(json));
    }
    if (holds_metaspace(json)) {
      return std::make_unique<MetaspaceTokenizer>(metaspace_from_json(json));
    }
    return std::make_unique<BytePairTokenizer>(byte_pairs_from_json(json));
  }
  check(json.contains("type") && json["type"].is_string(), "\"type\" must be a string");
  const std::string& type = json["type"].get_ref<const std::string&>();
  if (type == "char") return std::make_unique<CharTokenizer>(read_char_tokenizer(json));
  if (type == "byte") {
    allow_keys(json, {"type"});
    return std::make_unique<ByteTokenizer>();
  }
  if (type == "word") {
    allow_keys(json, {"type", "vocab"});
    return std::make_unique<WordTokenizer>(read_vocabulary(json));
  }
  if (type == "wordpiece") {
    allow_keys(json, {"type", "lower_case", "strip_accents", "vocab"});
    const BertNormalisation normalisation{read_switch(json, "lower_case"),
                                          read_switch(json, "strip_accents")};
    return std::make_unique<WordPieceTokenizer>(read_vocabulary(json), normalisation,
                                                WordPieceSpecials{.frames = false});
  }
  fail("has the unknown type ", quoted(type),
       " (supported are \"char\", \"byte\", \"word\" and \"wordpiece\", and Hugging Face's files "
       "of a "
       "BPE or WordPiece model)");
}

}  // namespace

std::string tokenizer_to_json(const Tokenizer& tokenizer) {
  if (const auto* pairs = dynamic_cast<const BytePairTokenizer*>(&tokenizer)) {
    return byte_pairs_to_json(pairs->pairs());
  }
  if (const auto* metaspace = dynamic_cast<const MetaspaceTokenizer*>(&tokenizer)) {
    check(!metaspace->parts().file.empty(),
          "tokenizer: a metaspace tokenizer can only be written as the file that it was read from");
    return metaspace->parts().file;
  }
  const auto* pieces = dynamic_cast<const WordPieceTokenizer*>(&tokenizer);
  return pieces != nullptr && is_hugging_face(tokenizer)
             ? word_pieces_to_json(*pieces)
             : own_json(tokenizer).dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_hugging_face(const Tokenizer& tokenizer) {
  return tokenizer.name() == "bpe" || tokenizer.name() == "metaspace" ||
         (tokenizer.name() == "wordpiece" && tokenizer.frame_tokens());
}

std::unique_ptr<Tokenizer> tokenizer_from_json(std::string_view json, const std::string& source) {
  try {
    return read_tokenizer(json);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(source + ": not a tokenizer: " + error.what());
  }
}

void save_tokenizer(const Tokenizer& tokenizer, const fs::path& folder) {
  const bool shared = is_hugging_face(tokenizer);
  write_file((folder / (shared ? kTokenizerFile : kOwnTokenizerFile)).string(),
             tokenizer_to_json(tokenizer) + "\n");
  fs::remove(folder / (shared ? kOwnTokenizerFile : kTokenizerFile));
  if (const auto* word_pieces = dynamic_cast<const WordPieceTokenizer*>(&tokenizer);
      word_pieces != nullptr && shared) {
    save_bert_vocabulary(*word_pieces, folder);
  }
  if (tokenizer.rules() != nullptr) {
    for (const auto& [name, text] : tokenizer.rules()->files) {
      write_file((folder / name).string(), text);
    }
  }
}

fs::path tokenizer_file(const fs::path& folder) {
  for (const char* name : {kTokenizerFile, kOwnTokenizerFile}) {
    if (fs::exists(folder / name)) return folder / name;
  }
  return folder / (holds_vocabulary_and_merges(folder)    ? kVocabularyFile
                   : fs::exists(folder / kWordPiecesFile) ? kWordPiecesFile
                                                          : kTokenizerFile);
}

bool holds_tokenizer(const fs::path& folder) { return fs::exists(tokenizer_file(folder)); }

std::unique_ptr<Tokenizer> load_tokenizer(const fs::path& given) {
  const fs::path folder = base_of(given);
  const fs::path file = tokenizer_file(folder);
  if (!fs::exists(file)) {
    throw std::runtime_error(text(folder.string(), ": contains no tokenizer: expected ",
                                  kTokenizerFile, ", ", kOwnTokenizerFile, ", ", kVocabularyFile,
                                  " with ", kMergesFile, ", or ", kWordPiecesFile));
  }
  if (file.filename() == kVocabularyFile) {
    return std::make_unique<BytePairTokenizer>(load_vocabulary_and_merges(folder));
  }
  if (file.filename() == kWordPiecesFile) {
    return std::make_unique<WordPieceTokenizer>(load_bert_vocabulary(folder));
  }
  const std::size_t largest =
      file.filename() == kTokenizerFile ? kLargestTokenizerOfOthers : kLargestTokenizer;
  return tokenizer_from_json(read_model_file(file.string(), largest), file.string());
}

}  // namespace gradus
