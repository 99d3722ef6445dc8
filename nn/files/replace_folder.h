/// @file
/// Replaces folders atomically: completely or not at all, even if interrupted.
#pragma once

#include <filesystem>
#include <functional>

namespace gradus {

/// @addtogroup files
/// @{

/// How two folders are swapped.
enum class Exchange {
  kIfPossible,  ///< in one step if the file system supports it, otherwise in two
  kNever,       ///< in two steps
};

/// Writes a new folder in place of `folder`.
///
/// `fill` writes the files into a temporary folder next to `folder`, `.NAME.tmp`. Then everything
/// is synced, and the two folders are swapped in one step if the system supports it. If it does
/// not, the old folder is first renamed to `.NAME.old`, where find_folder() finds it until the new
/// folder is in place. If power fails, the disk fills or the process is killed at any moment,
/// either the old folder or the new one is complete. The next call removes the remains of an
/// interrupted call.
/// @throws std::runtime_error naming the file and the system's reason; then the old folder stays
/// and the temporary folder is removed. The same happens if `fill` throws.
void replace_folder(const std::filesystem::path& folder,
                    const std::function<void(const std::filesystem::path& temporary)>& fill,
                    Exchange exchange = Exchange::kIfPossible);

/// Waits until a file, or the directory entries of a folder, are on the disk.
/// @throws std::runtime_error naming the path and the system's reason.
void sync_to_disk(const std::filesystem::path& path);

/// Syncs the folder that contains `path`, so that power loss cannot remove the name. Does nothing
/// if that folder may not be read, because then it cannot be opened.
/// @throws std::runtime_error naming the folder and the system's reason.
void sync_entry_of(const std::filesystem::path& path);

/// Returns the folder with the files of `folder`: `folder` itself, or the folder to which an
/// interrupted replace_folder() has moved them. If neither exists, returns `folder`.
std::filesystem::path find_folder(const std::filesystem::path& folder);

/// Makes a folder and its parents, unless it exists, and syncs their entries.
/// @throws std::runtime_error naming the folder and the reason, also if it exists but is not
/// writable.
void make_folder(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
