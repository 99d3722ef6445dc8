#include "cli/run/run_record.h"

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
#include "nn/files/checkpoint.h"
#include "nn/files/digest.h"
#include "nn/files/model_configs.h"
#include "nn/files/replace_folder.h"
#include "nn/files/tokenizer_json.h"
#include "nn/names.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr std::array kOwnFolders = {"out",      "out-fables",     "out-shakespeare-char",
                                    "out-bert", "out-classifier", "out-translator",
                                    "out-vit",  "out-prompts"};

/// Enough to notice that a text was changed.
std::string checksum(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(digest.value()));
  return digits.data();
}

/// How many numbers a model file holds, by its size: an 8-byte length, a header of that length, and
/// four bytes for each.
double number_count(const fs::path& file) {
  std::uint64_t header = 0;
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return (static_cast<double>(fs::file_size(file)) - 8 - static_cast<double>(header)) / 4;
}

/// What a checkpoint is, in words for the user: `a gpt of 788 k parameters on the bundled fables`.
std::string description(const fs::path& checkpoint) {
  std::string out = text("a ", name_of(kind_of_checkpoint(checkpoint)), " of ",
                         with_unit(number_count(checkpoint / kModelFile)), " parameters");
  const std::optional<RunRecord> record = load_record(out_dir_of(checkpoint));
  if (!record) {
    return out;
  }
  if (record->fables()) {
    return out + " on the bundled fables";
  }
  if (record->data == "built-in") {
    return out + " on built-in examples";
  }
  const std::string& first = record->data.empty() ? record->texts[0] : record->data;
  return text(out, " on ", fs::path(first).filename().string(),
              record->texts.size() > 1 ? text(" and ", record->texts.size() - 1, " more") : "");
}

/// Whether its model is a GPT or cannot be read, which loading it reports.
bool may_hold_gpt(const fs::path& checkpoint) {
  try {
    return kind_of_checkpoint(checkpoint) == ModelKind::kGpt;
  } catch (const std::runtime_error&) {
    return true;
  }
}

/// Whether it may be chosen for a command that works with such models.
bool is_wanted(const fs::path& checkpoint, Models wanted) {
  if (wanted == Models::kAny || may_hold_gpt(checkpoint) == (wanted == Models::kGpt)) {
    return true;
  }
  const std::optional<RunRecord> record = load_record(out_dir_of(checkpoint));
  return wanted == Models::kAnswers && record && !record->data.empty();
}

}  // namespace

void note_choice(const fs::path& checkpoint) {
  std::string what;
  try {
    what = ": " + description(checkpoint);
  } catch (const std::runtime_error&) {
    // Loading it says what is wrong with it.
  }
  note(checkpoint.string() + what);
}

RunRecord describe_text(const std::vector<std::string>& names, const Text& text, bool keep_crlf) {
  RunRecord record;
  record.keep_crlf = keep_crlf;
  for (const std::string& name : names) {
    record.texts.push_back(name == "-" ? name : fs::absolute(name).lexically_normal().string());
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
  if (record.keep_crlf) {
    json["keep_crlf"] = true;
  }
  // A path need not be UTF-8; such bytes are replaced, and --text has to be given again then.
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
    check(fs::is_regular_file(file), "is no file");
    const auto json = parse_json(read_file(file.string(), 1 << 20));
    return RunRecord{json.at("texts"),
                     json.at("bytes"),
                     json.at("checksum"),
                     json.value("data", std::string()),
                     json.value("loss_on_prompt", false),
                     json.value("examples", std::int64_t{0}),
                     json.value("keep_crlf", false)};
  } catch (const std::logic_error&) {
    throw std::runtime_error(file.string() + ": is damaged (remove it and give --text)");
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(file.string() + ": is damaged (remove it and give --text)");
  }
}

void check_readable(const RunRecord& record, const fs::path& out_dir) {
  const auto check_file = [&](const std::string& name, const char* flag) {
    std::error_code unknown;  // reading it says what is wrong
    const fs::file_status status = fs::status(name, unknown);
    check(!fs::exists(status) || fs::is_regular_file(status), (out_dir / kRecordFile).string(),
          ": names ", name, ", which is no file that can be read again (give ", flag, ")");
  };
  for (const std::string& name : record.texts) {
    check_file(name, "--text");
  }
  std::istringstream files(record.data);
  for (std::string name; std::getline(files, name, ',');) {
    check_file(name, "--data");
  }
}

void note_folded(const std::string& name, std::size_t line_ends) {
  if (line_ends > 0 && ranks().is_first()) {
    note(text(name, ": ", counted(static_cast<long>(line_ends), "line end"), " CR LF read as LF (",
              kKeepCrlf, " of train, eval and tokenize keeps them)"));
  }
}

Text read_texts(const std::vector<std::string>& names, bool keep_crlf) {
  if (!names.empty()) {
    Text read =
        read_text(names, stdin, kLargestText, keep_crlf ? LineEnds::kKeep : LineEnds::kFold);
    note_folded(read.name(), read.folded());
    return read;
  }
  Text text;
  text.append("the bundled fables", bundled_fables());
  return text;
}

bool holds_checkpoint(const fs::path& out_dir) {
  return fs::is_directory(find_folder(out_dir / "last")) ||
         fs::is_directory(find_folder(out_dir / "best"));
}

std::string newest_out_dir(Models wanted) {
  std::string newest;
  fs::file_time_type time;
  for (const char* folder : kOwnFolders) {
    for (const char* which : {"last", "best"}) {
      std::error_code error;
      const fs::path checkpoint = find_folder(fs::path(folder) / which);
      const auto written = fs::last_write_time(checkpoint / kConfigFile, error);
      if (!error && is_wanted(checkpoint, wanted) && (newest.empty() || written > time)) {
        newest = folder;
        time = written;
      }
    }
  }
  if (newest.empty() && wanted == Models::kAnswers) {
    throw std::runtime_error(
        "no model that answers is here (train one, such as '" + program_name() +
        " train --model translator'; a GPT of a text goes "
        "on with one by '" +
        program_name() + " sample --start TEXT', or by predict if --out_dir names its folder)");
  }
  if (newest.empty()) {
    throw std::runtime_error(
        "no trained model is here: neither out nor out-fables holds one (run '" + program_name() +
        " train', or name a folder with --out_dir)");
  }
  return newest;
}

fs::path chosen_checkpoint(const std::string& out_dir, const std::string& which, Models wanted) {
  const bool is_folder = which != "best" && which != "last";
  const bool is_chosen = out_dir.empty() && !is_folder;
  const fs::path run = is_chosen ? newest_out_dir(wanted) : out_dir;
  // A run that was stopped before its first evaluation has no best yet.
  const bool only_last = which == "best" && !fs::is_directory(find_folder(run / "best")) &&
                         fs::is_directory(find_folder(run / "last"));
  if (only_last) {
    note((run / "best").string() + ": is not there yet; this is last");
  }
  const fs::path folder = find_checkpoint(run, only_last ? "last" : which);
  if (is_chosen) {
    note_choice(folder);
  }
  if (wanted == Models::kGpt && !may_hold_gpt(folder)) {
    fail(folder.string(), ": holds a ", name_of(kind_of_checkpoint(folder)), " and no GPT (use '",
         program_name(), " predict')");
  }
  return folder;
}

fs::path out_dir_of(const fs::path& checkpoint_folder) {
  const fs::path folder = checkpoint_folder.lexically_normal(), name = folder.filename();
  if (name != "best" && name != "last" && !fs::exists(folder / "trainer.json")) {
    return checkpoint_folder;  // that no run wrote
  }
  const fs::path parent = folder.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

}  // namespace gradus
