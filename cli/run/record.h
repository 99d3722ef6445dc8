/// @file
/// The data of a run, which a resumed run reads again: `run.json` in its out_dir.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nn/data/corpus.h"

namespace gradus {

inline constexpr const char* kRecordFile = "run.json";

/// The text of a run.
struct RunRecord {
  std::vector<std::string> texts;  ///< absolute paths, "-", or names of bundled texts
  std::size_t bytes = 0;
  std::string checksum;         ///< of the text's bytes
  std::string data;             ///< a built-in set or absolute paths joined by commas, if no text
  bool loss_on_prompt = false;  ///< whether a GPT learns the prompts too
  double dpo = 0;               ///< beta of preferences; 0 for answers
  std::int64_t examples = 0;    ///< the most to train on; 0: all
  bool keep_crlf = false;       ///< whether line ends CR LF of the texts stay unchanged

  /// Whether the text is a bundled one: stories between two blank lines.
  bool is_bundled() const { return texts.size() == 1 && bundled_text(texts[0]); }
};

/// Describes a text that was read from these names.
RunRecord describe_text(const std::vector<std::string>& names, const Text& text, bool keep_crlf);

/// Writes and reads `out_dir/run.json`. Reading returns nullopt if the file does not exist.
/// @throws std::runtime_error naming the file and the fault.
void save_record(const std::filesystem::path& out_dir, const RunRecord& record);
std::optional<RunRecord> load_record(const std::filesystem::path& out_dir);

/// Checks that the files of a record can be read to their end without waiting: pipes and devices
/// cannot.
/// @throws std::invalid_argument naming the record's file and the file that it names.
void check_readable(const RunRecord& record, const std::filesystem::path& out_dir);

}  // namespace gradus
