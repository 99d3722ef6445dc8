/// @file
/// The data of a run and the values of its recorded flags, which a resumed run reads again:
/// `run.json` in its out_dir.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/tasks/settings.h"
#include "nn/data/corpus.h"

namespace gradus {

inline constexpr const char* kRecordFile = "run.json";

/// The default data, as --data of a record.
inline constexpr const char* kBuiltIn = "built-in";

/// The text of a run, and the values of the flags with Traits::recorded.
struct RunRecord {
  std::vector<std::string> texts;  ///< absolute paths, "-", or names of bundled texts
  std::size_t bytes = 0;
  std::string checksum;                      ///< of the text's bytes
  std::map<std::string, std::string> flags;  ///< as they are read by `gradus train`

  /// The value of a flag; empty if the record has none.
  std::string value(const std::string& flag) const {
    const auto found = flags.find(flag);
    return found == flags.end() ? "" : found->second;
  }
  /// kBuiltIn, a built-in set or absolute paths joined by commas; empty for a run on a text.
  std::string data() const { return value("--data"); }
  /// Whether line ends CR LF of the texts stay unchanged.
  bool keep_crlf() const { return value("--keep_crlf") == "True"; }
  /// Whether the text is a bundled one: stories between two blank lines.
  bool is_bundled() const { return texts.size() == 1 && bundled_text(texts[0]); }
};

/// The record of a run with these settings: all recorded flags that have a meaning for it.
RunRecord record_of(const Settings& settings);
/// The same for a run on a text that was read from these names.
RunRecord record_of(const Settings& settings, const std::vector<std::string>& names,
                    const Text& text);
/// Gives the settings the values of the recorded flags.
/// @throws std::invalid_argument naming a flag with a wrong value.
void restore(const RunRecord& record, Settings& settings);

/// Writes and reads `out_dir/run.json`. Reading returns nullopt if the file does not exist.
/// @throws std::runtime_error naming the file and the fault.
void save_record(const std::filesystem::path& out_dir, const RunRecord& record);
std::optional<RunRecord> load_record(const std::filesystem::path& out_dir);

/// Checks that the files of a record can be read to their end without waiting: pipes and devices
/// cannot.
/// @throws std::invalid_argument naming the record's file and the file that it names.
void check_readable(const RunRecord& record, const std::filesystem::path& out_dir);

}  // namespace gradus
