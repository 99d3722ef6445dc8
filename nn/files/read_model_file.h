/// @file
/// What every file in a model's folder must be, weights or JSON, before it is read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup files
/// @{

/// Checks that there is a file by this name, and no pipe or device: opening a pipe would wait for a
/// writer, and some devices have no end.
/// @throws std::runtime_error such as `config.json: is not a file (give a JSON file)`, where
/// `wanted` is "a JSON file".
void require_file(const std::string& path, const char* wanted);

/// Refuses the pointer that Git LFS leaves in place of a file that is not downloaded yet. `begin`
/// is the beginning of the file, 64 bytes or more.
/// @throws std::runtime_error naming the file and how to get it.
void refuse_lfs_pointer(const std::string& path, std::string_view begin);

/// The same as read_text_file() (file.h) for a file in a model's folder: see require_file().
/// `wanted` says what it holds, such as "a JSON file".
/// @throws std::runtime_error also for a pointer of Git LFS
std::string read_model_file(const std::string& name, std::size_t limit,
                            const char* wanted = "a JSON file");

/// @}

}  // namespace gradus
