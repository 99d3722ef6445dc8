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
    {"pooler.", "the summary of a text, of which a classifier is made"},
    {"cls.predictions.", "the head for masked words"},
    {"cls.seq_relationship.", "the head for pairs of texts"},
    {"qa_outputs.", "the head for answers within a text, which is not supported"},
    {"classifier.", "the head for labels, of BertForSequenceClassification"},
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

Safetensors load_parts(const fs::path& index) {
  const auto files = read_index(index);
  for (const auto& entry : files) {
    if (!fs::exists(index.parent_path() / entry.first)) {
      fail_for(index, "names the file ", quoted_name(entry.first),
               ", which does not exist (download it too)");
    }
  }
  Safetensors all;
  for (const auto& [name, tensors] : files) {
    const fs::path file = index.parent_path() / name;
    Safetensors part = load_safetensors(file.string());
    check_finite(file, part.tensors);
    for (const std::string& tensor : tensors) {
      if (!part.tensors.contains(tensor) && !part.indices.contains(tensor)) {
        fail_for(file, "lacks the tensor ", described(tensor), ", which ", kIndexFile, " lists");
      }
    }
    if (part.tensors.size() + part.indices.size() != tensors.size()) {
      fail_for(file, "has tensors that ", kIndexFile, " does not list");
    }
    all.tensors.merge(part.tensors);
    all.indices.merge(part.indices);
  }
  return all;
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
  for (const auto& [name, tensor] : found) {
    const std::string held = is_mask(name) ? "" : not_finite(tensor);
    if (!held.empty()) {
      fail_for(file, is_plain_name(name) ? name : quoted_name(name), " contains ", held,
               " (the file is damaged, or its model diverged in training: use another)");
    }
  }
}

Safetensors load_model_tensors(const fs::path& file) {
  if (file.filename() == kIndexFile) {
    return load_parts(file);
  }
  Safetensors kept = load_safetensors(file.string());
  check_finite(file, kept.tensors);
  return kept;
}

NamedShapes shapes_of(const std::vector<NamedTensor>& tensors) {
  NamedShapes shapes;
  for (const auto& [name, tensor, role] : tensors) {
    shapes.emplace_back(name, tensor.shape());
  }
  return shapes;
}

void load_into(const std::vector<NamedTensor>& parameters, const fs::path& file) {
  const Safetensors kept = load_model_tensors(file);
  check_tensors(file, shapes_of(parameters), kept.tensors);
  for (const auto& [name, tensor, role] : parameters) {
    std::ranges::copy(kept.tensors.at(name), tensor.mutable_data());
  }
}

void check_tensors(const fs::path& file, const NamedShapes& wanted,
                   const std::map<std::string, Tensor>& found) {
  std::set<std::string> names;
  for (const auto& [name, shape] : wanted) {
    names.insert(name);
    const auto place = found.find(name);
    if (place == found.end()) {
      fail_for(file, "lacks the tensor ", described(name));
    }
    if (place->second.shape() != shape) {
      fail_for(file, "tensor ", name, " must have the shape ", shape, ", got ",
               place->second.shape());
    }
  }
  for (const auto& entry : found) {
    if (!names.contains(entry.first)) {
      fail_for(file, "has an unexpected tensor: ", described(entry.first));
    }
  }
}

}  // namespace gradus
