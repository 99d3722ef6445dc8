/// @file
/// A checkpoint that tests read and damage.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "nn/files/checkpoint.h"
#include "nn/files/safetensors.h"
#include "nn/optim/adamw.h"
#include "tests/autograd/expect.h"
#include "tests/nn/edit_file.h"
#include "tests/nn/tiny_run.h"

namespace gradus {

/// A checkpoint of a model and an optimiser with recognisable numbers.
struct SavedCheckpoint {
  SavedCheckpoint() : model(run.config, 7), adamw(parameters(model), {}) {
    std::uint32_t place = 0;
    for (const auto& [name, tensor, role] : adamw.state()) {
      const Tensor values = drawn(tensor.shape(), ++place);
      std::copy(values.begin(), values.end(), tensor.mutable_data());
    }
    adamw.set_steps(12);
    state.step = 12;
    state.evaluated_step = 7;
    state.best_val_loss = 0.1 + 0.2;  // not a short decimal number
    state.best_step = 7;
    state.last_loss = std::nextafter(2.0, 3.0);
    state.options = run.options;
    save();
  }
  void save() { save_checkpoint(folder, writer(model, run.tokenizer), state, adamw); }

  /// Changes one of the JSON files.
  void edit(const char* file, const std::function<void(nlohmann::json&)>& change) const {
    edit_json(folder / file, change);
  }
  /// Changes the tensors in model.safetensors.
  void edit_tensors(const std::function<void(std::map<std::string, Tensor>&)>& change) const {
    gradus::edit_tensors(folder / "model.safetensors", change);
  }

  TinyRun run;
  TemporaryFolder parent;
  std::filesystem::path folder = parent.path / "last";
  Gpt model;
  AdamW adamw;
  TrainState state;
};

}  // namespace gradus

#define CHECK_REFUSES(expression, message)                                        \
  CHECK_THROWS_WITH_AS(static_cast<void>(expression), doctest::Contains(message), \
                       std::runtime_error)
