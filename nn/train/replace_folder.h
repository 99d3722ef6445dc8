/// @file
/// Folders that are replaced whole or not at all, whatever happens on the way.
#pragma once

#include <filesystem>
#include <functional>

namespace gradus {

/// @addtogroup train
/// @{

/// Whether a folder changes places with another in one step, where the file system can do that.
enum class Exchange {
  kIfPossible,  ///< in one step, and else in two
  kNever,       ///< in two steps, as where the file system cannot
};

/// Writes a new folder in place of what stands at `folder`.
///
/// `fill` writes the files into a temporary folder beside it, `.NAME.tmp`. Then all is synced and
/// the two folders change places in one step, where the system can do that. Where it cannot, the
/// old one is first renamed to `.NAME.old`, and for that moment find_folder() knows where to look.
/// Power may fail, the disk fill or the process be killed at any moment: what was there, or what is
/// new, is there whole. What an interrupted call left behind, the next one removes.
/// @throws std::runtime_error naming the file and the system's reason; then the old folder stands,
/// and the temporary one is gone. So it is when `fill` throws.
void replace_folder(const std::filesystem::path& folder,
                    const std::function<void(const std::filesystem::path& temporary)>& fill,
                    Exchange exchange = Exchange::kIfPossible);

/// Waits until a file, or a folder's list of names, is on the disk.
/// @throws std::runtime_error naming it and the system's reason.
void sync_to_disk(const std::filesystem::path& path);

/// Where the folder's files are: `folder` itself, or what an interrupted replace_folder() has put
/// aside. If there is neither, `folder`.
std::filesystem::path find_folder(const std::filesystem::path& folder);

/// Makes a folder, and those above it, unless it is there.
/// @throws std::runtime_error naming it and the reason, also if it is there but cannot be written
/// to.
void make_folder(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
