/// @file
/// Which checkpoint a command works with, and what it holds.
#pragma once

#include <filesystem>
#include <string>

namespace gradus {

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

inline constexpr const char* kConfigOutDir = "out-shakespeare-char";  ///< of nanoGPT's config

}  // namespace gradus
