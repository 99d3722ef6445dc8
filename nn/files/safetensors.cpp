#include "nn/files/safetensors.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "autograd/kernels/narrow_rows.h"
#include "nn/files/read_model_file.h"
#include "nn/files/safetensors_header.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

static_assert(std::endian::native == std::endian::little,
              "data is copied unchanged, little-endian");

constexpr std::size_t kChunk = 1 << 16;  // numbers converted at once, a multiple of 8

/// A file that is closed on every return path.
using File = std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })>;

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const float size = exponent == 31 ? (fraction == 0 ? HUGE_VALF : std::nanf(""))
                     : exponent == 0
                         ? std::ldexp(static_cast<float>(fraction), -24)
                         : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

template <class Stored>
Stored stored_at(const char* bytes, std::size_t i) {
  Stored value;
  std::memcpy(&value, bytes + i * sizeof(Stored), sizeof(Stored));
  return value;
}

/// Converts `count` numbers from the stored type.
template <class Stored, class Element>
void convert(const char* bytes, std::size_t count, Element* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<Element>(stored_at<Stored>(bytes, i));
  }
}

template <float (*decode)(std::uint16_t)>
void convert_half(const char* bytes, std::size_t count, Scalar* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = decode(stored_at<std::uint16_t>(bytes, i));
  }
}

void convert_i64(const char* bytes, std::size_t count, std::int32_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = stored_at<std::int64_t>(bytes, i);
    check(value == static_cast<std::int32_t>(value), "contains ", value,
          ", which does not fit into 32 bits");
    out[i] = static_cast<std::int32_t>(value);
  }
}

/// How to read one dtype: into a Tensor or an IndexTensor.
struct Dtype {
  const char* name;
  std::size_t bytes;
  void (*to_scalar)(const char*, std::size_t, Scalar*);
  void (*to_index)(const char*, std::size_t, std::int32_t*);
};

constexpr Dtype kDtypes[] = {
    {"F64", 8, convert<double, Scalar>, nullptr},
    {"F32", 4, convert<float, Scalar>, nullptr},
    {"F16", 2, convert_half<from_half>, nullptr},
    {"BF16", 2, convert_half<from_bfloat16>, nullptr},
    {"I64", 8, nullptr, convert_i64},
    {"I32", 4, nullptr, convert<std::int32_t, std::int32_t>},
    {"I16", 2, nullptr, convert<std::int16_t, std::int32_t>},
    {"I8", 1, nullptr, convert<std::int8_t, std::int32_t>},
    {"U8", 1, nullptr, convert<std::uint8_t, std::int32_t>},
    {"BOOL", 1, nullptr, convert<std::uint8_t, std::int32_t>},
};

/// Reads one file.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    open();
    header_ = read_header();
    data_ = ftello(file_.get());
  }

  const SafetensorsHeader& header() const { return header_; }

  Safetensors read() {
    Safetensors result;
    for (const SafetensorsEntry& entry : header_.entries) {  // in data order
      read_tensor(entry, result);
    }
    result.metadata = std::move(header_.metadata);
    return result;
  }

  /// Reads one tensor of floating-point numbers.
  Tensor read(const SafetensorsEntry& entry) {
    const auto begin = static_cast<off_t>(entry.offsets[0]);
    if (fseeko(file_.get(), data_ + begin, SEEK_SET) != 0) {
      fail_to_read(path_, errno);
    }
    return read_floats(entry, dtype_of(entry));
  }

  const Dtype& dtype_of(const SafetensorsEntry& entry) const {
    for (const Dtype& dtype : kDtypes) {
      if (entry.dtype == dtype.name) return dtype;
    }
    fail_for_file(path_, "tensor ", quoted_name(entry.name), " has the dtype ",
                  quoted_name(entry.dtype), ", which is not supported (convert it to F32)");
  }

  Shape shape_of(const SafetensorsEntry& entry, const Dtype& dtype) const {
    Index bytes = dtype.bytes;
    bool fits = true, empty = false;
    for (std::uint64_t size : entry.shape) {
      empty = empty || size == 0;
      // Check even if another size is 0: the other sizes of a Shape must have a product.
      fits = fits && !__builtin_mul_overflow(bytes, std::max<std::uint64_t>(size, 1), &bytes);
    }
    const std::uint64_t held = entry.offsets[1] - entry.offsets[0];
    if (!fits || (empty ? 0 : static_cast<std::uint64_t>(bytes)) != held) {
      fail_for_file(path_, "tensor ", quoted_name(entry.name), " has ", held,
                    " bytes, which do not match its shape and dtype ", entry.dtype, kDamaged);
    }
    return Shape(std::vector<Index>(entry.shape.begin(), entry.shape.end()));
  }

 private:
  void open() {
    require_file(path_, "a .safetensors file");
    file_.reset(std::fopen(path_.c_str(), "rb"));
    if (!file_) fail_to_read(path_, errno);
    std::error_code error;
    file_size_ = std::filesystem::file_size(path_, error);
    if (error) fail_to_read(path_, error.value());
  }

  void read_bytes(void* out, std::size_t bytes) {
    errno = 0;
    if (bytes > 0 && std::fread(out, 1, bytes, file_.get()) != bytes) {
      if (errno != 0) fail_to_read(path_, errno);
      fail_for_file(path_, "cannot be read: the file is too short", kDamaged);
    }
  }

  void refuse_pointer() {
    std::array<char, 64> begin{};
    const std::size_t count = std::fread(begin.data(), 1, begin.size(), file_.get());
    refuse_lfs_pointer(path_, {begin.data(), count});
    std::rewind(file_.get());
  }

  SafetensorsHeader read_header() {
    std::uint64_t length = 0;
    if (file_size_ < sizeof(length)) {
      fail_for_file(path_, "has ", file_size_, " bytes, too few for a .safetensors file", kDamaged);
    }
    refuse_pointer();
    read_bytes(&length, sizeof(length));
    const std::uint64_t rest = file_size_ - sizeof(length);
    if (length == 0 || length > kMaxSafetensorsHeader || length > rest) {
      fail_for_file(path_, "the header's length of ", length, " bytes is not in [1, ",
                    std::min(rest, kMaxSafetensorsHeader),
                    "] (not a .safetensors file, or a damaged one)");
    }
    std::string header(length, '\0');
    read_bytes(header.data(), header.size());
    return parse_safetensors_header(path_, header, rest - length);
  }

  template <class Element>
  void read_numbers(const SafetensorsEntry& entry, const Dtype& dtype,
                    void (*convert_numbers)(const char*, std::size_t, Element*), Element* out) {
    std::uint64_t left = entry.offsets[1] - entry.offsets[0];
    buffer_.resize(kChunk);
    while (left > 0) {
      const std::size_t bytes = std::min<std::uint64_t>(left, kChunk);
      read_bytes(buffer_.data(), bytes);
      convert_numbers(buffer_.data(), bytes / dtype.bytes, out);
      out += bytes / dtype.bytes;
      left -= bytes;
    }
  }

  Tensor read_floats(const SafetensorsEntry& entry, const Dtype& dtype) {
    Tensor tensor(shape_of(entry, dtype));
    read_numbers(entry, dtype, dtype.to_scalar, tensor.mutable_data());
    return tensor;
  }

  void read_tensor(const SafetensorsEntry& entry, Safetensors& result) {
    const Dtype& dtype = dtype_of(entry);
    if (dtype.to_scalar != nullptr) {
      result.tensors.emplace(entry.name, read_floats(entry, dtype));
      return;
    }
    IndexTensor tensor(shape_of(entry, dtype));
    try {
      read_numbers(entry, dtype, dtype.to_index, tensor.mutable_data());
    } catch (const std::invalid_argument& error) {
      fail_for_file(path_, "tensor ", quoted_name(entry.name), " ", error.what());
    }
    result.indices.emplace(entry.name, tensor);
  }

  std::string path_;
  File file_;
  std::uint64_t file_size_ = 0;
  SafetensorsHeader header_;
  off_t data_ = 0;  // where the data begins
  std::vector<char> buffer_;
};

/// Writes one file.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path)
      : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    expect(file_ != nullptr);
  }

  void write(const void* bytes, std::size_t count) {
    expect(count == 0 || std::fwrite(bytes, 1, count, file_.get()) == count);
  }

  /// Waits until everything is on the disk. Each of these steps can be the first to find the disk
  /// full.
  void finish() {
    expect(std::fflush(file_.get()) == 0);
    // Pipes and devices cannot be synced and return EINVAL.
    expect(fsync(fileno(file_.get())) == 0 || errno == EINVAL || errno == ENOTSUP);
    expect(std::fclose(file_.release()) == 0);
  }

 private:
  void expect(bool ok) const {
    if (!ok) fail_to_write(path_, errno);
  }

  std::string path_;
  File file_;
};

}  // namespace

Safetensors load_safetensors(const std::string& path) { return Reader(path).read(); }

struct SafetensorsFile::Contents {
  explicit Contents(const std::string& path) : reader(path) {
    for (const SafetensorsEntry& entry : reader.header().entries) {
      const Dtype& dtype = reader.dtype_of(entry);
      const Shape shape = reader.shape_of(entry, dtype);
      (dtype.to_scalar != nullptr ? shapes : index_shapes).emplace(entry.name, shape);
    }
  }

  Reader reader;
  std::map<std::string, Shape> shapes, index_shapes;
};

SafetensorsFile::SafetensorsFile(const std::string& path)
    : contents_(std::make_unique<Contents>(path)) {}

SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;

SafetensorsFile::~SafetensorsFile() = default;

const std::map<std::string, Shape>& SafetensorsFile::shapes() const { return contents_->shapes; }

const std::map<std::string, Shape>& SafetensorsFile::index_shapes() const {
  return contents_->index_shapes;
}

Tensor SafetensorsFile::read(const std::string& name) const {
  const auto& entries = contents_->reader.header().entries;
  const auto entry = std::ranges::find(entries, name, &SafetensorsEntry::name);
  check(shapes().contains(name) && entry != entries.end(), "SafetensorsFile: has no tensor ",
        quoted_name(name));
  return contents_->reader.read(*entry);
}

void save_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata,
                      const NamedIndices& indices) {
  SafetensorsHeader header{.entries = {}, .metadata = metadata};
  std::uint64_t end = 0;
  const auto add = [&](const std::string& name, const auto& tensor, const char* dtype) {
    check(tensor.defined(), "save_safetensors: tensor ", quoted_name(name), " is undefined");
    const std::uint64_t begin = std::exchange(end, end + tensor.size() * sizeof(*tensor.data()));
    const Shape& shape = tensor.shape();
    header.entries.push_back({name, dtype, {shape.begin(), shape.end()}, {begin, end}});
  };
  for (const auto& [name, tensor, role] : tensors) {
    add(name, tensor, sizeof(Scalar) == 8 ? "F64" : "F32");
  }
  for (const auto& [name, tensor] : indices) {
    add(name, tensor, "I32");
  }
  const std::string header_text = format_safetensors_header(header);
  const std::uint64_t length = header_text.size();
  FileWriter writer(path);
  writer.write(&length, sizeof(length));
  writer.write(header_text.data(), header_text.size());
  for (const auto& [name, tensor, role] : tensors) {
    writer.write(tensor.data(), tensor.size() * sizeof(Scalar));
  }
  for (const auto& [name, tensor] : indices) {
    writer.write(tensor.data(), tensor.size() * sizeof(std::int32_t));
  }
  writer.finish();
}

}  // namespace gradus
