/// @file
/// Selects the checkpoint that a command works with.
#pragma once

#include <filesystem>
#include <string>

#include "autograd/kernels/narrow_rows.h"
#include "cli/program/flags.h"

namespace gradus {

/// If the user named no checkpoint, prints on standard error which one was chosen, with a
/// description of its model.
void note_choice(const std::filesystem::path& checkpoint);

/// Whether this folder contains a run's checkpoint.
bool holds_checkpoint(const std::filesystem::path& out_dir);

/// The models that a command works with. kAnswers: every model except a GPT trained on plain text.
enum class Models { kAny, kGpt, kAnswers };

/// The default folder of commands when no --out_dir is given: of the default folders of `gradus
/// train`, the one with the newest checkpoint of such a model.
/// @throws std::runtime_error if there is none.
std::string newest_out_dir(Models wanted = Models::kAny);

/// Adds the flags that name a model, --out_dir and --checkpoint, for chosen_checkpoint().
void add_source_flags(Flags& flags, std::string& out_dir, std::string& which);

/// The checkpoint `which` of a folder: best, last or a folder in it. Any folder if `out_dir` is
/// empty.
/// @throws std::runtime_error if there is none, std::invalid_argument if it is in another folder.
std::filesystem::path checkpoint_in(const std::filesystem::path& out_dir, const std::string& which);

/// The checkpoint folder that the flags --out_dir and --checkpoint name. Without either flag it is
/// a folder of newest_out_dir(), and its name is printed on standard error. If `best` does not
/// exist yet, returns `last`, with a note.
/// @throws std::runtime_error if there is none, std::invalid_argument if the command does not work
/// with its model.
std::filesystem::path chosen_checkpoint(const std::string& out_dir, const std::string& which,
                                        Models wanted = Models::kAny);

/// Adds --dtype, the type in which a command that only reads a model keeps its weights.
void add_dtype(Flags& flags, WeightType& dtype);

/// The folder of the run that wrote a checkpoint. For a model's folder that no run wrote: that
/// folder.
std::filesystem::path out_dir_of(const std::filesystem::path& checkpoint_folder);

inline constexpr const char* kConfigOutDir = "out-shakespeare-char";  ///< nanoGPT's default

}  // namespace gradus
