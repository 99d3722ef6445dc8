/// @file
/// Reads and writes .safetensors files, the format in which Hugging Face publishes models.
///
/// A file is an 8-byte little-endian length, a JSON header of that length, and data. The header
/// maps each tensor's name to `{"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}`,
/// with offsets into the data; "__metadata__" may hold strings. Tensors fill the data without gaps
/// or overlaps. Reference: https://huggingface.co/docs/safetensors. Any file is safe to open:
/// everything in it is checked before it is used. Left out: reading a part of a tensor.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/index_tensor.h"
#include "nn/named_tensor.h"

namespace gradus {

/// @addtogroup safetensors
/// @{

/// The tensors and strings of one .safetensors file.
struct Safetensors {
  std::map<std::string, Tensor> tensors;        ///< stored as F64, F32, F16 or BF16
  std::map<std::string, IndexTensor> indices;   ///< stored as I64, I32, I16, I8, U8 or BOOL
  std::map<std::string, std::string> metadata;  ///< strings that the writing program added
};

/// An open file whose tensors are read one at a time, so that memory holds no more of them than
/// the caller keeps.
/// @code
/// save_safetensors("numbers.safetensors", {{"x", tensor({1, 2})}});
/// const SafetensorsFile file("numbers.safetensors");
/// file.shapes().at("x");  // [2], read from the header alone
/// file.read("x");         // [1, 2]
/// @endcode
class SafetensorsFile {
 public:
  /// Opens a file and checks its header.
  /// @throws std::runtime_error as load_safetensors()
  explicit SafetensorsFile(const std::string& path);
  SafetensorsFile(SafetensorsFile&&) noexcept;  ///< takes the open file
  ~SafetensorsFile();                           ///< closes the file

  /// The names and shapes of the tensors of floating-point numbers.
  const std::map<std::string, Shape>& shapes() const;
  /// The names and shapes of the tensors of integers.
  const std::map<std::string, Shape>& index_shapes() const;
  /// Reads a tensor of floating-point numbers, which are rounded to Scalar.
  /// @throws std::runtime_error if the file cannot be read.
  /// @throws std::invalid_argument if there is no such tensor.
  Tensor read(const std::string& name) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

/// Index tensors to write, in this order.
using NamedIndices = std::vector<std::pair<std::string, IndexTensor>>;

/// Reads a whole file. Floating-point numbers are rounded to Scalar.
/// @throws std::runtime_error naming the file and the error, such as `model.safetensors: tensor "a"
/// ends at byte 900, but the file's data has 128 bytes (the file is damaged or not complete)`.
///
/// @code
/// save_safetensors("numbers.safetensors", {{"x", tensor({1, 2})}});
/// load_safetensors("numbers.safetensors").tensors.at("x");  // [1, 2]
/// @endcode
Safetensors load_safetensors(const std::string& path);

/// Writes a file, replaces an existing one, and returns when the file is safely on the disk.
/// Tensors are written as F32 (F64 in the double build), then index tensors as I32. The same
/// arguments give the same bytes. If the existing file must survive a failed write, write under
/// another name and rename the file.
/// @throws std::runtime_error naming the file if it cannot be written, for example because the disk
/// is full.
/// @throws std::invalid_argument if a name occurs twice, is "__metadata__" or is not UTF-8, or a
/// tensor is undefined.
void save_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {},
                      const NamedIndices& indices = {});

/// @}

}  // namespace gradus
