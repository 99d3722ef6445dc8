/// @file
/// Replaces folders atomically: wholly or not at all, even if interrupted.
#pragma once

#include <filesystem>
#include <functional>

namespace gradus {

/// @addtogroup files
/// @{

/// Whether two folders are swapped in one step, if the file system supports it.
enum class Exchange {
  kIfPossible,  ///< in one step, otherwise in two
  kNever,       ///< in two steps, as on a file system without support
};

/// Writes a new folder in place of `folder`.
///
/// `fill` writes the files into a temporary folder next to it, `.NAME.tmp`. Then everything is
/// synced and the two folders are swapped in one step, if the system supports it. If not, the old
/// one is first renamed to `.NAME.old`; until the new one is in place, find_folder() finds it
/// there. If power fails, the disk fills or the process is killed at any moment, either the old
/// folder or the new one is whole. The next call removes what an interrupted one left.
/// @throws std::runtime_error naming the file and the system's reason; then the old folder is kept
/// and the temporary one removed, also when `fill` throws.
void replace_folder(const std::filesystem::path& folder,
                    const std::function<void(const std::filesystem::path& temporary)>& fill,
                    Exchange exchange = Exchange::kIfPossible);

/// Waits until a file, or a folder's directory entries, are on the disk.
/// @throws std::runtime_error naming it and the system's reason.
void sync_to_disk(const std::filesystem::path& path);

/// Where the folder's files are: `folder` itself, or where an interrupted replace_folder() has
/// moved them. If neither exists, `folder`.
std::filesystem::path find_folder(const std::filesystem::path& folder);

/// Makes a folder and its parents, unless it exists.
/// @throws std::runtime_error naming it and the reason, also if it exists but is not writable.
void make_folder(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
