/// @file
/// What a run needs to know of its text to go on: `run.json` in its out_dir.
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
  std::vector<std::string> texts;  ///< absolute paths, or "-"; empty for the bundled fables
  std::size_t bytes = 0;
  std::string checksum;  ///< of the bytes
  std::string data;  ///< instead of a text: a built-in set, or absolute paths with commas between
  bool loss_on_prompt = false;  ///< whether a GPT learns the prompts too
  std::int64_t examples = 0;    ///< the most of them to train on; 0 for all
  bool keep_crlf = false;       ///< whether line ends CR LF of the texts stay as they are

  /// Whether the text is the bundled fables.
  bool fables() const { return texts.empty() && data.empty(); }
};

/// Describes a text that was read from these names.
RunRecord describe_text(const std::vector<std::string>& names, const Text& text, bool keep_crlf);

/// Writes and reads `out_dir/run.json`; reading gives none where there is no such file.
/// @throws std::runtime_error naming the file and what is wrong.
void save_record(const std::filesystem::path& out_dir, const RunRecord& record);
std::optional<RunRecord> load_record(const std::filesystem::path& out_dir);

/// Makes sure that what a record names can be read without end or wait: pipes and devices cannot.
/// @throws std::invalid_argument naming the record's file and what it names.
void check_readable(const RunRecord& record, const std::filesystem::path& out_dir);

/// The flag of the commands that read texts, and what --help says of it.
inline constexpr const char* kKeepCrlf = "--keep_crlf";
inline constexpr const char* kKeepCrlfHelp = "keep line ends CR LF, which are read as LF otherwise";

/// Reads these texts, or the bundled fables if none is named. Unless line ends CR LF are to be kept
/// they become LF, which is said once on standard error.
Text read_texts(const std::vector<std::string>& names, bool keep_crlf = false);

/// Says on standard error that so many line ends were folded, if there are any.
void note_folded(const std::string& name, std::size_t line_ends);

/// Says on standard error which checkpoint was chosen for somebody who named none, and what it is.
void note_choice(const std::filesystem::path& checkpoint);

/// Whether a run left a checkpoint in this folder.
bool holds_checkpoint(const std::filesystem::path& out_dir);

/// The models that a command works with. Those that answer are all but GPTs of a text.
enum class Models { kAny, kGpt, kAnswers };

/// The folder that commands work on when no --out_dir is given: of those that `gradus train` uses
/// by itself, the one with the newest checkpoint that holds such a model.
/// @throws std::runtime_error if there is none.
std::string newest_out_dir(Models wanted = Models::kAny);

/// The checkpoint folder that the flags --out_dir and --checkpoint mean; without either, one of
/// newest_out_dir(), which is then said on standard error. Where `best` is not there yet it is
/// `last`, with a note.
/// @throws std::runtime_error if there is none, std::invalid_argument if its model is not wanted.
std::filesystem::path chosen_checkpoint(const std::string& out_dir, const std::string& which,
                                        Models wanted = Models::kAny);

/// The folder of the run that wrote a checkpoint; a model's folder that no run wrote, itself.
std::filesystem::path out_dir_of(const std::filesystem::path& checkpoint_folder);

}  // namespace gradus
