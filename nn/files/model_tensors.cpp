#include "nn/files/model_tensors.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "autograd/check.h"
#include "nn/files/file_names.h"
#include "nn/files/json_values.h"
#include "nn/files/read_model_file.h"
#include "nn/files/safetensors_header.h"
#include "nn/text/file.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char *kIndexFile = "model.safetensors.index.json", *kMap = "weight_map";
constexpr const char* kOtherFormats[] = {"pytorch_model.bin", "pytorch_model.bin.index.json",
                                         "tf_model.h5", "flax_model.msgpack"};
constexpr const char* kNanoGptFile = "ckpt.pt";

constexpr std::size_t kLongestFileName = 255;  // the limit of most systems

/// Parts of tensor names, longer ones first, and the meaning of such a tensor.
constexpr std::pair<const char*, const char*> kMeanings[] = {
    {"wte.weight", "the embedding of tokens"},
    {"embed_tokens.weight", "the embedding of tokens"},
    {".input_layernorm.", "the norm before a block's attention"},
    {".self_attn.o_proj.", "the output of a block's attention"},
    {".self_attn.", "queries, keys or values of a block"},
    {".post_attention_layernorm.", "the norm before a block's feed-forward network"},
    {"model.norm.", "the norm after the last block"},
    {"wpe.weight", "the embedding of positions"},
    {".ln_1.", "the norm before a block's attention"},
    {".attn.c_attn.", "the queries, keys and values of a block"},
    {".attn.c_proj.", "the output of a block's attention"},
    {".ln_2.", "the norm before a block's feed-forward network"},
    {".mlp.", "the feed-forward network of a block"},
    {"ln_f.", "the norm after the last block"},
    {"lm_head.", "the output layer, where \"tie_word_embeddings\" is false"},
    {"score.", "the head of a GPT that labels texts and does not write"},
    {"word_embeddings.", "the embedding of tokens"},
    {"position_embeddings.", "the embedding of positions"},
    {"token_type_embeddings.", "the embedding of segments"},
    {"embeddings.LayerNorm.", "the norm of the embeddings"},
    {".attention.self.", "queries, keys or values of a layer"},
    {".attention.output.LayerNorm.", "the norm behind a layer's attention"},
    {".attention.output.", "the output of a layer's attention"},
    {".intermediate.", "the feed-forward network of a layer"},
    {".output.LayerNorm.", "the norm behind a layer's feed-forward network"},
    {".output.", "the feed-forward network of a layer"},
    {"pooler.", "the summary of a text, the input of a classifier"},
    {"cls.predictions.", "the head for masked words"},
    {"cls.seq_relationship.", "the head for pairs of texts"},
    {"qa_outputs.", "the head for answers within a text, which is not supported"},
    {"classifier.", "the head for labels in BertForSequenceClassification"},
};

/// Whether a message can show a name unchanged. Names come from files and may contain anything.
bool is_plain_name(const std::string& name) {
  return name.size() <= 200 &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f; });
}

/// The name, followed by the tensor's meaning in brackets, if it is in kMeanings.
std::string described(const std::string& name) {
  if (!is_plain_name(name)) {
    return quoted_name(name);
  }
  for (const auto& [part, meaning] : kMeanings) {
    if (name.find(part) != std::string::npos) {
      return text(name, " (", meaning, ")");
    }
  }
  return name;
}

/// Returns, for each file in an index, the names of its tensors.
std::map<std::string, std::set<std::string>> read_index(const fs::path& index) {
  return read_object(
      read_model_file(index.string(), kLargestJson), index.string(), [](const Json& json) {
        check(json.contains(kMap) && json[kMap].is_object() && !json[kMap].empty(),
              "needs an object \"", kMap, "\" that maps tensors to files");
        std::map<std::string, std::set<std::string>> files;
        for (const auto& [tensor, file] : json[kMap].items()) {
          check(file.is_string(), "\"", kMap, "\" must name a file for each tensor, got ",
                shown(file));
          const auto& name = file.get_ref<const std::string&>();
          const bool is_plain = std::ranges::none_of(
              name, [](char c) { return c == '/' || c == '\\' || (c >= 0 && c < ' '); });
          check(name.ends_with(".safetensors") && is_plain && name.size() <= kLongestFileName, "\"",
                kMap, "\" must name .safetensors files in its own folder, got ", shown(file));
          files[name].insert(tensor);
        }
        return files;
      });
}

/// Checks that a file holds exactly the tensors that an index lists.
void check_listed(const fs::path& file, const std::set<std::string>& listed,
                  const SafetensorsFile& held) {
  for (const std::string& tensor : listed) {
    if (!held.shapes().contains(tensor) && !held.index_shapes().contains(tensor)) {
      fail_for(file, "lacks the tensor ", described(tensor), ", which ", kIndexFile, " lists");
    }
  }
  if (held.shapes().size() + held.index_shapes().size() != listed.size()) {
    fail_for(file, "has tensors that ", kIndexFile, " does not list");
  }
}

/// Checks that all numbers of a tensor from a file are finite, unless it is a mask.
void require_finite(const fs::path& file, const std::string& name, const Tensor& tensor) {
  const std::string held = is_mask(name) ? "" : not_finite(tensor);
  if (!held.empty()) {
    fail_for(file, is_plain_name(name) ? name : quoted_name(name), " contains ", held,
             " (the file is damaged, or its model diverged in training: use another)");
  }
}

}  // namespace

fs::path find_model_file(const fs::path& folder) {
  for (const char* name : {kModelFile, kIndexFile}) {
    if (fs::exists(folder / name)) {
      return folder / name;
    }
  }
  refuse_other_formats(folder);
  return folder / kModelFile;  // the caller's attempt to read it reports that it is missing
}

void refuse_other_formats(const fs::path& folder) {
  std::error_code unreadable;  // treated as missing: the next read reports the reason
  for (const char* name : kOtherFormats) {
    if (fs::exists(folder / name, unreadable)) {
      fail_for(folder / name, "cannot be read, as this format may run code (download ", kModelFile,
               " of this model, or write it in Python with transformers' "
               "model.save_pretrained(FOLDER, safe_serialization=True))");
    }
  }
  if (fs::exists(folder / kNanoGptFile, unreadable)) {
    fail_for(folder / kNanoGptFile,
             "is a checkpoint of nanoGPT, which cannot be read, as this format may run code "
             "(convert it with the Python lines in docs/checkpoints.md)");
  }
}

bool is_mask(const std::string& name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
}

void check_finite(const fs::path& file, const std::map<std::string, Tensor>& found) {
  for (const auto& [name, tensor] : found) require_finite(file, name, tensor);
}

ModelTensors::ModelTensors(const fs::path& file) {
  if (file.filename() != kIndexFile) {
    add(file);
    return;
  }
  const auto files = read_index(file);
  for (const auto& entry : files) {
    if (!fs::exists(file.parent_path() / entry.first)) {
      fail_for(file, "names the file ", quoted_name(entry.first),
               ", which does not exist (download it too)");
    }
  }
  for (const auto& [name, listed] : files) {
    add(file.parent_path() / name);
    check_listed(files_.back().first, listed, files_.back().second);
  }
}

void ModelTensors::add(const fs::path& file) {
  const SafetensorsFile& part = files_.emplace_back(file, SafetensorsFile(file.string())).second;
  shapes_.insert(part.shapes().begin(), part.shapes().end());
  index_shapes_.insert(part.index_shapes().begin(), part.index_shapes().end());
}

Tensor ModelTensors::read(const std::string& name) const {
  const auto place = std::ranges::find_if(
      files_, [&](const auto& entry) { return entry.second.shapes().contains(name); });
  check(place != files_.end(), "ModelTensors: has no tensor ", quoted_name(name));
  Tensor tensor = place->second.read(name);
  require_finite(place->first, name, tensor);
  return tensor;
}

std::map<std::string, Tensor> ModelTensors::read_all() const {
  std::map<std::string, Tensor> tensors;
  for (const auto& entry : shapes_) tensors.emplace(entry.first, read(entry.first));
  return tensors;
}

NamedShapes shapes_of(const std::vector<NamedTensor>& tensors) {
  NamedShapes shapes;
  for (const auto& [name, tensor, role] : tensors) {
    shapes.emplace_back(name, tensor.shape());
  }
  return shapes;
}

void load_into(const std::vector<NamedTensor>& parameters, const fs::path& file) {
  const ModelTensors held(file);
  check_tensors(file, shapes_of(parameters), held.shapes());
  const std::map<std::string, Tensor> kept = held.read_all();
  for (const auto& [name, tensor, role] : parameters) {
    std::ranges::copy(kept.at(name), tensor.mutable_data());
  }
}

void check_tensors(const fs::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Tensor>& found) {
  std::map<std::string, Shape> shapes;
  for (const auto& [name, tensor] : found) shapes.emplace(name, tensor.shape());
  check_tensors(file, wanted, shapes);
}

void check_tensors(const fs::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Shape>& found) {
  std::set<std::string> names;
  for (const auto& [name, shape] : wanted) {
    names.insert(name);
    const auto place = found.find(name);
    if (place == found.end()) {
      fail_for(file, "lacks the tensor ", described(name));
    }
    if (place->second != shape) {
      fail_for(file, "tensor ", name, " must have the shape ", shape, ", got ", place->second);
    }
  }
  for (const auto& entry : found) {
    if (!names.contains(entry.first)) {
      fail_for(file, "has an unexpected tensor: ", described(entry.first));
    }
  }
}

}  // namespace gradus
