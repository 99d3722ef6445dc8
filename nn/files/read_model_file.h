/// @file
/// Lists a model's folder, and checks every file in it, weights or JSON, before it is read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// @addtogroup files
/// @{

/// Checks that `path` is a regular file, not a pipe or device: opening a pipe would wait for a
/// writer, and some devices have no end.
/// @throws std::runtime_error such as `config.json: is not a file (use a JSON file)`, where
/// `wanted` is "a JSON file".
void require_file(const std::string& path, const char* wanted);

/// Refuses a pointer file of Git LFS, which stands for a file that is not downloaded yet. `begin`
/// is the beginning of the file, 64 bytes or more.
/// @throws std::runtime_error naming the file and the remedy.
void refuse_lfs_pointer(const std::string& path, std::string_view begin);

/// Reads a file as read_text_file() (file.h) does, with require_file() and refuse_lfs_pointer().
/// `wanted` describes the file, such as "a JSON file".
/// @throws std::runtime_error as these functions do
std::string read_model_file(const std::string& name, std::size_t limit,
                            const char* wanted = "a JSON file");

/// Lists a folder. (Without this, an error in the middle of the list would not name the folder.)
/// @throws std::runtime_error naming the folder and the system's reason.
std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder);

/// @}

}  // namespace gradus
