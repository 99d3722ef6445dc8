/// @file
/// What the fuzzers share. A fuzzer is a function `fuzz`, which libFuzzer calls with one input
/// after the other; the sanitizers end the program at the first fault in memory or arithmetic, and
/// holds() where a rule is broken. Seeds for each come from tests/trust/fuzz.py.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"
#include "nn/named_tensor.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"

namespace gradus {

/// Tries one input.
void fuzz(std::string_view input);

/// Ends the program if a rule is broken.
inline void holds(bool condition, const char* rule) {
  if (condition) return;
  std::fprintf(stderr, "\nbroken rule: %s\n", rule);
  std::abort();
}

/// Whether `read` takes its input. If not, it must say so with one of the documented errors, in at
/// most a few lines; any other exception ends the program.
template <class Read>
bool accepts(Read read) {
  const auto check_message = [](const char* what) {
    const std::string_view message(what);
    holds(!message.empty(), "an error has a message");
    holds(message.size() < 3000, "an error's message is short");
  };
  try {
    read();
    return true;
  } catch (const std::runtime_error& error) {
    check_message(error.what());
  } catch (const std::invalid_argument& error) {
    check_message(error.what());
  }
  return false;
}

/// Whether two tensors have the same shape and bits.
inline bool are_same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](Scalar x, Scalar y) {
           return std::bit_cast<std::array<char, sizeof x>>(x) ==
                  std::bit_cast<std::array<char, sizeof y>>(y);
         });
}

/// Whether two models have the same parameters.
inline bool are_same(const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && are_same(x.tensor, y.tensor);
  });
}

/// A folder for the files of one input, emptied before each.
class FuzzFolder {
 public:
  explicit FuzzFolder(const char* name) : path_(root() / name) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    write_file(file.string(), bytes);
    return file.string();
  }
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// The folder of this process.
  static std::filesystem::path root() {
    return std::filesystem::temp_directory_path() / ("gradus_fuzz_" + std::to_string(getpid()));
  }

 private:
  std::filesystem::path path_;
};

/// The parts of an input that stands for several files or texts: each begins after a line
/// `@@ NAME`. Parts with other names than these are left out.
inline std::map<std::string, std::string> parts_of(std::string_view input,
                                                   std::initializer_list<const char*> names) {
  std::map<std::string, std::string> parts;
  constexpr std::string_view kMark = "@@ ";
  while (input.starts_with(kMark)) {
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string name(input.substr(kMark.size(), line - kMark.size()));
    input.remove_prefix(std::min(line + 1, input.size()));
    const std::size_t end = std::min(input.find("\n@@ "), input.size());
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      parts[name] = input.substr(0, end);
    }
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return parts;
}

/// A .safetensors file with this header, and as much data as its entries need, up to 64 KiB. Each
/// number in the data is small and finite, as F32, F16, BF16 or F64.
inline std::string with_data(std::string_view header) {
  std::uint64_t size = 0;
  for (std::size_t at = 0; (at = header.find("\"data_offsets\"", at)) != std::string_view::npos;) {
    at = std::min(header.find(',', at), header.size());
    std::uint64_t end = 0;
    for (++at;
         at < header.size() && (header[at] == ' ' || (header[at] >= '0' && header[at] <= '9'));
         ++at) {
      if (header[at] != ' ') end = std::min<std::uint64_t>(end * 10 + header[at] - '0', 1 << 16);
    }
    size = std::max(size, end);
  }
  std::string file(8, '\0');
  for (int i = 0; i < 8; ++i) file[i] = static_cast<char>(std::uint64_t{header.size()} >> 8 * i);
  file += header;
  for (std::uint64_t i = 0; i < size; ++i)
    file += static_cast<char>(i % 4 == 0 ? i / 4 % 61 : 0x3c);
  return file;
}

}  // namespace gradus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradus::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
