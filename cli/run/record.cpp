#include "cli/run/record.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "cli/run/train_flags.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/texts.h"
#include "nn/digest.h"
#include "nn/files/json_values.h"
#include "nn/files/parse_json.h"
#include "nn/files/replace_folder.h"
#include "nn/names.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char *kTexts = "texts", *kBytes = "bytes", *kChecksum = "checksum";

/// The key of a flag: its name without hyphens.
std::string key_of(const std::string& flag) { return flag.substr(2); }

/// A checksum that is enough to notice a changed text.
std::string checksum(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(digest.value()));
  return digits.data();
}

/// The value of a flag in JSON: a switch is true or false, and a number has no quotes if it is read
/// as the same text.
Json as_json(const std::string& value) {
  if (value == "True" || value == "False") return value == "True";
  const bool is_number = Json::accept(value) && Json::parse(value).dump() == value;
  return is_number ? Json::parse(value) : Json(value);
}

/// The value of a flag as text: undoes as_json().
std::string as_text(const auto& value) {
  if (value.is_boolean()) return value.template get<bool>() ? "True" : "False";
  check(value.is_string() || value.is_number(), "must be a text, a number, true or false");
  return value.is_string() ? value.template get<std::string>() : value.dump();
}

/// Calls visit(name, traits) for each recorded flag.
void for_recorded(const Flags& flags, const auto& visit) {
  for (const std::string& name : flags.names()) {
    if (flags.traits(name).recorded) visit(name, flags.traits(name));
  }
}

}  // namespace

RunRecord record_of(const Settings& settings) {
  Settings bound = settings;
  Flags flags("train", "");
  add_train_flags(flags, bound);
  RunRecord record;
  for_recorded(flags, [&](const std::string& name, const Traits& traits) {
    if ((traits.of & kind_of_run(settings)) == 0) return;
    const std::string value = flags.value(name);
    const bool is_default_data = traits.names == Names::kExamples && value.empty();
    record.flags[name] = is_default_data                    ? kBuiltIn
                         : traits.names == Names::kExamples ? absolute_data(value)
                                                            : value;
  });
  return record;
}

RunRecord record_of(const Settings& settings, const std::vector<std::string>& names,
                    const Text& text) {
  RunRecord record = record_of(settings);
  for (const std::string& name : or_default_text(names)) {
    const bool is_file = name != "-" && !bundled_text(name);
    record.texts.push_back(is_file ? fs::absolute(name).lexically_normal().string() : name);
  }
  record.bytes = text.bytes().size();
  record.checksum = checksum(text.bytes());
  return record;
}

void restore(const RunRecord& record, Settings& settings) {
  Flags flags("train", "");
  add_train_flags(flags, settings);
  for_recorded(flags, [&](const std::string& name, const Traits&) {
    const auto found = record.flags.find(name);
    if (found == record.flags.end()) return;
    flags.give(name, {found->second == kBuiltIn ? "" : found->second});
  });
}

void save_record(const fs::path& out_dir, const RunRecord& record) {
  Json json = {{kTexts, record.texts}, {kBytes, record.bytes}, {kChecksum, record.checksum}};
  for (const auto& [name, value] : record.flags) json[key_of(name)] = as_json(value);
  // A path need not be UTF-8. Such bytes are replaced, and --text must then be given again.
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  const fs::path file = out_dir / kRecordFile, temporary = out_dir / ".run.json.tmp";
  write_file(temporary.string(), text + "\n");
  sync_to_disk(temporary);
  fs::rename(temporary, file);
  sync_to_disk(out_dir);
}

std::optional<RunRecord> load_record(const fs::path& out_dir) {
  const fs::path file = out_dir / kRecordFile;
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  try {
    check(fs::is_regular_file(file), "is not a file");
    const auto json = parse_json(read_file(file.string(), 1 << 20));
    RunRecord record{json.at(kTexts), json.at(kBytes), json.at(kChecksum), {}};
    for (const auto& [key, value] : json.items()) {
      if (key != kTexts && key != kBytes && key != kChecksum) {
        record.flags["--" + key] = as_text(value);
      }
    }
    Settings any;
    restore(record, any);  // checks the values
    // Earlier versions wrote no name for the fables.
    if (record.texts.empty() && record.data().empty()) record.texts = {"fables"};
    return record;
  } catch (const std::logic_error&) {
    throw std::runtime_error(file.string() + ": is damaged (remove it and pass --text)");
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(file.string() + ": is damaged (remove it and pass --text)");
  }
}

void check_readable(const RunRecord& record, const fs::path& out_dir) {
  const auto check_file = [&](const std::string& name, const char* flag) {
    std::error_code unknown;  // reading it reports the error
    const fs::file_status status = fs::status(name, unknown);
    check(!fs::exists(status) || fs::is_regular_file(status), (out_dir / kRecordFile).string(),
          ": names ", name, ", which is not a regular file and can be read only once (pass ", flag,
          ")");
  };
  for (const std::string& name : record.texts) {
    check_file(name, "--text");
  }
  std::istringstream files(record.data());
  for (std::string name; std::getline(files, name, ',');) {
    check_file(name, "--data");
  }
}

}  // namespace gradus
