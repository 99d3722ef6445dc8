#include "nn/files/metaspace_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "autograd/check.h"
#include "nn/files/tokenizer_json.h"

namespace gradus {
using namespace detail;
namespace {

using Json = nlohmann::json;

const Json kBlankMark = "\xE2\x96\x81";  // U+2581

/// Whether the normalizer is Prepend and Replace of a blank.
bool marks_blanks(const Json& normalizer) {
  const Json prepend = {{"type", "Prepend"}, {"prepend", kBlankMark}};
  const Json replace = {
      {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kBlankMark}};
  return normalizer == Json{{"type", "Sequence"}, {"normalizers", {prepend, replace}}};
}

/// Reads the rule for blanks from a Metaspace pre_tokenizer.
void read_pretokenizer(const Json& part, MetaspaceParts& parts) {
  check(setting(part, "type") == "Metaspace",
        "pre_tokenizer must be null with a normalizer of Prepend and Replace, or of the type "
        "\"Metaspace\" without a normalizer");
  allow_only(part, "pre_tokenizer", "replacement", kBlankMark);
  parts.splits = setting(part, "split") != false;  // the default is true
  const Json scheme = setting(part, "prepend_scheme");
  if (scheme.is_null()) {
    const bool has_blank = setting(part, "add_prefix_space") != false;
    parts.blank_before = has_blank ? BlankBefore::kAlways : BlankBefore::kNever;
    return;
  }
  const auto schemes = {std::pair("never", BlankBefore::kNever),
                        std::pair("first", BlankBefore::kFirst),
                        std::pair("always", BlankBefore::kAlways)};
  const auto found =
      std::ranges::find_if(schemes, [&](const auto& s) { return scheme == s.first; });
  check(found != schemes.end(), "pre_tokenizer has prepend_scheme ", scheme.dump(),
        ", which is not \"always\", \"first\" or \"never\"");
  parts.blank_before = found->second;
}

}  // namespace

bool holds_metaspace(const Json& json) {
  const Json model = setting(json, "model");
  return model.is_object() && model.value("type", Json("BPE")) == "BPE" &&
         setting(model, "byte_fallback") == true;
}

MetaspaceParts metaspace_from_json(const Json& json) {
  MetaspaceParts parts;
  const Json normalizer = setting(json, "normalizer"), cut = setting(json, "pre_tokenizer");
  const bool is_normalized = !normalizer.is_null();
  if (is_normalized) {
    check(marks_blanks(normalizer),
          "has a normalizer that is not supported (only Prepend and Replace of a blank)");
    check(cut.is_null(), "has a normalizer and a pre_tokenizer, which is not supported (only one)");
    parts.blank_before = BlankBefore::kAnother;
  } else {
    read_pretokenizer(cut, parts);
  }
  const Json& model = json["model"];
  allow_only(model, "model", "dropout", 0);
  allow_only(model, "model", "continuing_subword_prefix", "");
  allow_only(model, "model", "end_of_word_suffix", "");
  parts.whole_pieces = setting(model, "ignore_merges") == true;
  NumberedTokens all = all_tokens(json);
  for (const AddedToken& token : all.added) {
    check(token.special || !(token.normalized && is_normalized), "the added token ",
          quoted(token.content), " is searched in the normalized text, which is not supported");
  }
  parts.added = std::move(all.added);
  check(model.contains("merges") && model["merges"].is_array(), "model has no list \"merges\"");
  for (const Json& merge : model["merges"]) {
    const auto [left, right] = read_merge(merge, parts.merges.size());
    const auto number_of = [&](const std::string& part) {
      const auto found = all.numbers.find(part);
      check(found != all.numbers.end(), "merge ", parts.merges.size(), ": ", quoted(part),
            " is not a token");
      return found->second;
    };
    parts.merges.emplace_back(number_of(left), number_of(right));
  }
  parts.tokens = std::move(all.tokens);
  parts.begin = begin_of(setting(json, "post_processor"), parts.tokens.size());
  parts.file = json.dump();
  return parts;
}

}  // namespace gradus
