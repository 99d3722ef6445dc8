#include "nn/text/file.h"

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "autograd/check.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, Close>;

/// The system's reason, and a remedy for the user.
std::string reason_and_remedy(int error) {
  const auto remedy = [error] {
    switch (error) {
      case EACCES:
      case EPERM:
        return "check its permissions";
      case EROFS:
        return "choose another folder";
      case ENOSPC:
      case EDQUOT:
        return "make room on the disk";
      case EFBIG:
        return "raise the limit on the size of files, see ulimit -f";
      case EMFILE:
      case ENFILE:
        return "raise the limit on open files, see ulimit -n";
      case ENAMETOOLONG:
        return "choose a shorter name";
      case EIO:
        return "check the disk";
      default:
        return "check the path";
    }
  };
  return text(std::generic_category().message(error), " (", remedy(), ")");
}

}  // namespace

void fail_to_read(const std::string& name, int error) {
  if (error == ENOENT) throw std::runtime_error(name + ": does not exist (check the path)");
  if (error == EISDIR) throw std::runtime_error(name + ": is a directory (use a text file)");
  throw std::runtime_error(name + ": cannot be read: " + reason_and_remedy(error));
}

void fail_to_write(const std::string& name, int error) {
  throw std::runtime_error(name + ": cannot be written: " + reason_and_remedy(error));
}

std::string read_file(const std::string& name, std::size_t limit) {
  const std::string label = name.empty() ? "''" : name;
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) fail_to_read(label, errno);
  return read_stream(file.get(), label, limit);
}

std::string read_text_file(const std::string& name, std::size_t limit) {
  std::string bytes = read_file(name, limit);
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  return bytes;
}

std::string read_stream(std::FILE* stream, const std::string& name, std::size_t limit) {
  std::string bytes;
  std::array<char, 1 << 16> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), stream)) {
    if (count > limit - bytes.size()) {
      throw std::runtime_error(
          text(name, ": must have at most ", limit, " bytes (use a part of it)"));
    }
    bytes.append(chunk.data(), count);
  }
  // On Linux and macOS a directory opens like a file, and only reading it fails.
  if (std::ferror(stream)) fail_to_read(name, errno);
  return bytes;
}

void write_file(const std::string& name, std::string_view bytes) {
  std::FILE* file = std::fopen(name.c_str(), "wb");
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = errno;
  // A full disk often shows only when closing flushes the buffer.
  if (file && std::fclose(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (!written) fail_to_write(name, error);
}

}  // namespace gradus
