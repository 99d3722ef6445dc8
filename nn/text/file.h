/// @file
/// Reads and writes whole files. Errors name the file and the remedy.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace gradus {

/// @addtogroup text
/// @{

/// Reads a file, pipe or device to its end. More than `limit` bytes are an error, so that reading
/// an endless device stops.
/// @throws std::runtime_error `NAME: does not exist (check the path)`,
///   `NAME: is a directory (use a text file)`, `NAME: cannot be read: REASON (REMEDY)`, or
///   `NAME: must have at most LIMIT bytes (use a part of it)`
std::string read_file(const std::string& name, std::size_t limit);

/// The same, without a byte order mark (utf8.h) at the start of the file.
std::string read_text_file(const std::string& name, std::size_t limit);

/// The same as read_file() for an open stream, which stays open. Error messages use `name`.
std::string read_stream(std::FILE* stream, const std::string& name, std::size_t limit);

/// Throws the error of these functions for an error number of the system.
/// @throws std::runtime_error as read_file() does
[[noreturn]] void fail_to_read(const std::string& name, int error);

/// Throws the error of a file or folder that cannot be written, for an error number of the system.
/// @throws std::runtime_error `NAME: cannot be written: REASON (REMEDY)`
[[noreturn]] void fail_to_write(const std::string& name, int error);

/// Writes a file and replaces an existing one.
/// @throws std::runtime_error as fail_to_write() does
void write_file(const std::string& name, std::string_view bytes);

/// @}

}  // namespace gradus
