/// @file
/// Chapter 24: two models of other programs, and how a GPT is judged beside PyTorch.
#pragma once

#include <cstdio>
#include <filesystem>
#include <span>

#include "pocket/write.h"
#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace course;

inline const std::string kRoot =
    std::filesystem::path(COURSE_FABLES).parent_path().parent_path().parent_path().parent_path();
inline const std::string kHere = kRoot + "/tutorials/24_other_peoples_weights/";
inline const std::string kGpt = kHere + "fables_gpt", kBert = kHere + "fables_bert";

// [judged]
/// The last tenth of the fables, on which neither model was trained, and the rest.
inline std::string held_out() {
  const std::string fables = read_text(COURSE_FABLES);
  return fables.substr(fables.size() * 9 / 10);
}

inline std::string training() {
  const std::string fables = read_text(COURSE_FABLES);
  return fables.substr(0, fables.size() * 9 / 10);
}

using Logits = std::function<Tensor(const IndexTensor&)>;  // tokens [1, T] to [1, T, V]

/// The largest difference between two tensors' numbers. std::max skips a NaN, so a NaN
/// counts as infinitely far.
inline double apart(const Tensor& x, const Tensor& right) {
  check(x.size() == right.size(), "apart: ", x.shape(), " beside ", right.shape());
  double most = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double difference = std::abs(double{x.data()[i]} - right.data()[i]);
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    most = std::max(most, difference);
  }
  return most;
}

/// As printed: below 1e-04 a difference can be rounding, which differs between processors.
inline std::string shown(double apart) {
  char text[20];
  std::snprintf(text, sizeof text, apart < 1e-4 ? "< 1e-04" : "%.1e", apart);
  return text;
}

/// How many of the tokens that Python made of a text, name/0, name/1 and so on, are ours; and how
/// many there are.
inline std::pair<int, int> same_as_python(const Flat& theirs, const std::string& name,
                                          std::span<const std::int32_t> ours) {
  int same = 0, all = 0;
  for (std::string path; theirs.contains(path = name + "/" + std::to_string(all)); ++all) {
    check(all < std::ssize(ours), name, ": Python has more tokens");
    same += std::stoi(theirs.at(path)) == ours[all];
  }
  return {same, all};
}

/// Compares a GPT with PyTorch: its loss on 40 stretches of 64 tokens, and the largest difference
/// of its logits from PyTorch's on the first stretch.
struct Judge {
  Tokens tokens = Gpt2Tokenizer(kGpt).encode(held_out());
  Tensor right = read_safetensors(kHere + "answers/logits.safetensors").at("gpt");  // [64, V]

  double loss(const Logits& logits) const {
    return mean_loss({tokens.begin(), tokens.begin() + 40 * 64 + 1}, 64, logits);
  }
  double distance(const Logits& logits) const {
    const NoGrad no_grad;
    return apart(logits(IndexTensor({1, 64}, {tokens.begin(), tokens.begin() + 64})), right);
  }
};
// [judged]
