/// @file
/// Files of tensors. An input that begins with "{" is a header, to which with_data() adds the data;
/// any other is a whole file. What was read is written and read again.
#include "nn/files/safetensors.h"

#include "tests/fuzz/fuzz.h"

namespace gradus {
namespace {

void write(const std::string& file, const Safetensors& all) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : all.tensors) tensors.push_back({name, tensor});
  const NamedIndices indices(all.indices.begin(), all.indices.end());
  save_safetensors(file, tensors, all.metadata, indices);
}

}  // namespace

void fuzz(std::string_view input) {
  static const FuzzFolder folder("safetensors");
  const std::string file =
      folder.file("a", input.starts_with('{') ? with_data(input) : std::string(input));
  Safetensors found;
  if (!accepts([&] { found = load_safetensors(file); })) return;
  write(folder / "b", found);
  const Safetensors again = load_safetensors(folder / "b");
  holds(again.metadata == found.metadata, "metadata are kept");
  holds(again.tensors.size() == found.tensors.size(), "all tensors are written");
  holds(again.indices.size() == found.indices.size(), "all index tensors are written");
  for (const auto& [name, tensor] : found.tensors) {
    holds(are_same(again.tensors.at(name), tensor), "a tensor is read back as it was");
  }
  for (const auto& [name, tensor] : found.indices) {
    const IndexTensor& other = again.indices.at(name);
    holds(other.shape() == tensor.shape() &&
              std::equal(tensor.data(), tensor.data() + tensor.size(), other.data()),
          "an index tensor is read back as it was");
  }
  write(folder / "c", again);
  holds(read_file(folder / "b", 1 << 26) == read_file(folder / "c", 1 << 26),
        "the same tensors give the same bytes");
}

}  // namespace gradus
