/// @file
/// Reads and writes whole files, with errors that name the file and the remedy.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Reads a file, pipe or device to its end. More than `limit` bytes are an error, so that an
/// endless one stops.
/// @throws std::runtime_error `NAME: does not exist (check the path)`,
///   `NAME: is a directory (give a text file)`, `NAME: cannot be read: REASON`, or
///   `NAME: holds more than LIMIT bytes (give a part of it)`
std::string read_file(const std::string& name, std::size_t limit);

/// The same without the byte order mark (utf8.h) that the file may begin with.
std::string read_text_file(const std::string& name, std::size_t limit);

/// The same as read_file() for an open stream, which stays open; error messages call it `name`.
std::string read_stream(std::FILE* stream, const std::string& name, std::size_t limit);

/// What these say of a system's error number.
[[noreturn]] void fail_to_read(const std::string& name, int error);

/// Writes a file, replacing an existing one.
/// @throws std::runtime_error `NAME: cannot be written: REASON`
void write_file(const std::string& name, std::string_view bytes);

/// @}

}  // namespace gradus
