#include "nn/files/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "autograd/shape.h"

namespace gradus {
using namespace detail;
namespace {

using nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

/// Reads the header's JSON piece by piece, so that nothing invalid is stored: no million brackets,
/// and no name that occurs twice, of which a parsed tree would keep only one.
class HeaderReader final : public json::json_sax_t {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  SafetensorsHeader header;

  bool start_object(std::size_t) override {
    if (is_unknown_) return enter_unknown();
    if (depth_ == 2 || list_ != nullptr) unexpected("an object");
    if (++depth_ == 2) {
      fields_.clear();
      if (!in_metadata_) {
        header.entries.push_back({name_, {}, {}, {}});
      }
    }
    return true;
  }

  bool end_object() override {
    if (is_unknown_) return leave_unknown();
    if (depth_-- == 2) {
      if (!in_metadata_ && fields_.size() != 3) {
        fail_for_file(path_, "tensor ", quoted_name(name_),
                      " needs dtype, shape and data_offsets, got ", fields_.size(), " of them",
                      kDamaged);
      }
      in_metadata_ = false;
    }
    return true;
  }

  bool key(std::string& key) override {
    if (is_unknown_) return true;
    // An entry may have more properties, of any kind, as for the reference reader.
    is_unknown_ =
        depth_ == 2 && !in_metadata_ && key != "dtype" && key != "shape" && key != "data_offsets";
    if (is_unknown_) return true;
    if (!(depth_ == 1 ? names_ : fields_).insert(key).second) {
      fail_for_file(path_, "the header names ", quoted_name(key), " twice", kDamaged);
    }
    if (depth_ == 1) {
      name_ = key;
      in_metadata_ = key == kMetadata;
    } else {
      field_ = key;
    }
    return true;
  }

  bool string(std::string& value) override {
    if (is_unknown_) return pass_unknown();
    if (depth_ == 2 && in_metadata_) {
      header.metadata.emplace(field_, std::move(value));
    } else if (depth_ == 2 && field_ == "dtype") {
      header.entries.back().dtype = std::move(value);
    } else {
      unexpected("a string");
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (is_unknown_) return enter_unknown();
    if (depth_ != 2 || in_metadata_ || list_ != nullptr || field_ == "dtype") unexpected("a list");
    list_ = field_ == "shape" ? &header.entries.back().shape : &header.entries.back().offsets;
    return true;
  }

  bool end_array() override {
    if (is_unknown_) return leave_unknown();
    list_ = nullptr;
    return true;
  }

  bool number_unsigned(json::number_unsigned_t value) override {
    if (is_unknown_) return pass_unknown();
    if (list_ == nullptr) unexpected("a number");
    if (list_->size() == kMaxRank) {
      fail_for_file(path_, "tensor ", quoted_name(name_), " has more than ", kMaxRank,
                    " numbers as its ", field_);
    }
    list_->push_back(value);
    return true;
  }

  bool number_integer(json::number_integer_t value) override {
    return is_unknown_ ? pass_unknown() : unexpected(text("the number ", value));
  }
  bool number_float(double, const std::string& digits) override {
    return is_unknown_ ? pass_unknown() : unexpected(text("the number ", digits.substr(0, 40)));
  }
  bool null() override {
    if (depth_ == 1 && in_metadata_) {  // the same as no metadata
      in_metadata_ = false;
      return true;
    }
    return is_unknown_ ? pass_unknown() : unexpected("null");
  }
  bool boolean(bool) override { return is_unknown_ ? pass_unknown() : unexpected("a truth value"); }
  bool binary(json::binary_t&) override { unexpected("bytes"); }

  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    fail_for_file(path_, "the header is not valid JSON at its byte ", position, kDamaged);
  }

 private:
  /// The value of an unknown property ends when no list or object in it is open.
  bool pass_unknown() {
    is_unknown_ = unknown_depth_ > 0;
    return true;
  }
  bool enter_unknown() {
    ++unknown_depth_;
    return true;
  }
  bool leave_unknown() {
    --unknown_depth_;
    return pass_unknown();
  }

  [[noreturn]] bool unexpected(const std::string& what) const {
    if (depth_ == 0) fail_for_file(path_, "the header is ", what, ", not an object", kDamaged);
    fail_for_file(path_, quoted_name(name_), depth_ == 2 ? ", " + quoted_name(field_) : "",
                  ": did not expect ", what, " there", kDamaged);
  }

  const std::string& path_;
  int depth_ = 0;
  bool in_metadata_ = false;
  bool is_unknown_ = false;          // whether the current value is of an unknown property
  std::uint64_t unknown_depth_ = 0;  // the number of lists and objects open in it
  std::string name_, field_;
  std::set<std::string> names_, fields_;
  std::vector<std::uint64_t>* list_ = nullptr;  // the list to which numbers are appended
};

/// Sorts the entries by offset and checks that every byte of the data belongs to exactly one
/// tensor.
void check_layout(const std::string& path, std::vector<SafetensorsEntry>& entries,
                  std::uint64_t data_size) {
  for (const SafetensorsEntry& entry : entries) {
    if (entry.offsets.size() != 2 || entry.offsets[0] > entry.offsets[1]) {
      fail_for_file(path, "tensor ", quoted_name(entry.name),
                    ": data_offsets must be a begin and an end", kDamaged);
    }
    if (entry.offsets[1] > data_size) {
      fail_for_file(path, "tensor ", quoted_name(entry.name), " ends at byte ", entry.offsets[1],
                    ", but the file's data has ", data_size, " bytes", kDamaged);
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
              return std::tie(a.offsets, a.name) < std::tie(b.offsets, b.name);
            });
  std::uint64_t position = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.offsets[0] != position) {
      fail_for_file(path, "tensor ", quoted_name(entry.name), " begins at byte ", entry.offsets[0],
                    " of the data, not at ", position, " where the one before it ends", kDamaged);
    }
    position = entry.offsets[1];
  }
  if (position != data_size) {
    fail_for_file(path, data_size - position, " bytes follow the last tensor", kDamaged);
  }
}

/// Returns the text of a JSON string, with quotes.
std::string as_json(const std::string& string) {
  try {
    return json(string).dump();
  } catch (const json::exception&) {
    fail("save_safetensors: the name or text ", quoted_name(string), " is not valid UTF-8");
  }
}

}  // namespace

std::string quoted_name(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  return json(name.size() <= kLongest ? name : name.substr(0, kLongest) + "...")
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

SafetensorsHeader parse_safetensors_header(const std::string& path, const std::string& json_text,
                                           std::uint64_t data_size) {
  if (!json_text.starts_with('{')) {
    fail_for_file(path, "the header does not begin with {", kDamaged);
  }
  if (const std::size_t at = json_text.find('\0'); at != std::string::npos) {
    // The parser would treat a null byte as the end.
    fail_for_file(path, "the header is not valid JSON at its byte ", at + 1, kDamaged);
  }
  HeaderReader reader(path);
  json::sax_parse(json_text, &reader);
  check_layout(path, reader.header.entries, data_size);
  return std::move(reader.header);
}

std::string format_safetensors_header(const SafetensorsHeader& header) {
  std::string result = "{";
  if (!header.metadata.empty()) {
    result += as_json(kMetadata) + ":{";
    for (const auto& [key, value] : header.metadata) {
      result += (result.back() == '{' ? "" : ",") + as_json(key) + ":" + as_json(value);
    }
    result += "}";
  }
  std::set<std::string> names;
  for (const SafetensorsEntry& entry : header.entries) {
    check(entry.name != kMetadata, "save_safetensors: the name ", kMetadata, " is reserved");
    check(names.insert(entry.name).second, "save_safetensors: the name ", quoted_name(entry.name),
          " occurs twice");
    result += text(result.size() > 1 ? "," : "", as_json(entry.name),
                   ":{\"dtype\":", as_json(entry.dtype), ",\"shape\":", json(entry.shape).dump(),
                   ",\"data_offsets\":", json(entry.offsets).dump(), "}");
  }
  result += "}";
  result.resize((result.size() + 7) / 8 * 8, ' ');
  check(result.size() <= kMaxSafetensorsHeader, "save_safetensors: names and shapes take ",
        result.size(), " bytes, more than the format allows");
  return result;
}

}  // namespace gradus
