/// @file
/// The results that are computed on both engines and compared.
#pragma once

#include <string>
#include <vector>

/// Numbers that must be the same on both engines.
struct Result {
  std::string name;
  std::vector<double> numbers;
};

namespace pocket {
std::vector<Result> run_ops();
std::vector<Result> run_models();
std::vector<Result> run_gpt_alone();
std::vector<Result> run_llama_alone();
std::vector<Result> run_vision_alone();
std::vector<Result> run_tables();
std::vector<Result> run_changes();
}  // namespace pocket
namespace on_gradus {
std::vector<Result> run_ops();
std::vector<Result> run_models();
}  // namespace on_gradus
