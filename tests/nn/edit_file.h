/// @file
/// Changes to files that tests have written or copied.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "nn/files/safetensors.h"
#include "tests/nn/tiny_run.h"

namespace gradus {

/// Changes a JSON file. An ordered Json keeps the order of its keys.
template <class Json>
void edit_json(const std::filesystem::path& file, const std::function<void(Json&)>& change) {
  Json json = Json::parse(bytes_of(file));
  change(json);
  overwrite(file, json.dump());
}

/// Changes the tensors in a safetensors file.
inline void edit_tensors(const std::filesystem::path& file,
                         const std::function<void(std::map<std::string, Tensor>&)>& change) {
  Safetensors kept = load_safetensors(file.string());
  change(kept.tensors);
  save_safetensors(file.string(), named(kept.tensors));
}

}  // namespace gradus
