#include "cli/run/record.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "cli/tasks/texts.h"
#include "nn/digest.h"
#include "nn/files/model_configs.h"
#include "nn/files/parse_json.h"
#include "nn/files/replace_folder.h"
#include "nn/names.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// A checksum that is enough to notice a changed text.
std::string checksum(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(digest.value()));
  return digits.data();
}

}  // namespace

RunRecord describe_text(const std::vector<std::string>& names, const Text& text, bool keep_crlf) {
  RunRecord record;
  record.keep_crlf = keep_crlf;
  for (const std::string& name : or_default_text(names)) {
    const bool is_file = name != "-" && !bundled_text(name);
    record.texts.push_back(is_file ? fs::absolute(name).lexically_normal().string() : name);
  }
  record.bytes = text.bytes().size();
  record.checksum = checksum(text.bytes());
  return record;
}

void save_record(const fs::path& out_dir, const RunRecord& record) {
  nlohmann::ordered_json json = {
      {"texts", record.texts}, {"bytes", record.bytes}, {"checksum", record.checksum}};
  if (!record.data.empty()) {
    json["data"] = record.data;
    json["examples"] = record.examples;
  }
  if (record.loss_on_prompt) {
    json["loss_on_prompt"] = true;
  }
  if (record.dpo > 0) {
    json["dpo"] = record.dpo;
  }
  if (record.keep_crlf) {
    json["keep_crlf"] = true;
  }
  // A path need not be UTF-8. Such bytes are replaced, and --text must then be given again.
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
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
    RunRecord record{json.at("texts"),
                     json.at("bytes"),
                     json.at("checksum"),
                     json.value("data", std::string()),
                     json.value("loss_on_prompt", false),
                     json.value("dpo", 0.0),
                     json.value("examples", std::int64_t{0}),
                     json.value("keep_crlf", false)};
    // Earlier versions wrote no name for the fables.
    if (record.texts.empty() && record.data.empty()) record.texts = {"fables"};
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
  std::istringstream files(record.data);
  for (std::string name; std::getline(files, name, ',');) {
    check_file(name, "--data");
  }
}

}  // namespace gradus
