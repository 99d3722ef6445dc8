#include "nn/tasks/preference_task.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/inspect/profile.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/index.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/files/model_tensors.h"
#include "nn/files/safetensors.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kReference = "log_probabilities";
constexpr std::size_t kScoredPreferences = 200;  // held-out pairs, after each evaluation
constexpr std::size_t kRowsAtOnce = 32;          // without recording
constexpr std::size_t kShownPrompts = 4;

std::string one_decimal(double number) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.1f", number);
  return digits;
}

/// The mean of a column of x [N, 2].
double mean_of_column(const Tensor& x, Index column) {
  double sum = 0;
  for (Index i = 0; i < x.size(0); ++i) sum += x.data()[2 * i + column];
  return sum / static_cast<double>(x.size(0));
}

/// The share of rows [N, 2] whose first number is larger.
double share_of_first(const Tensor& x) {
  Index larger = 0;
  for (Index i = 0; i < x.size(0); ++i) larger += x.data()[2 * i] > x.data()[2 * i + 1];
  return static_cast<double>(larger) / static_cast<double>(x.size(0));
}

}  // namespace

PreferenceModel with_reference(PromptModel model, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kReferenceFile;
  std::map<std::string, Tensor> tensors = load_safetensors(file.string()).tensors;
  check_finite(file, tensors);
  const Tensor& held = tensors[kReference];
  if (!held.defined() || held.rank() != 2 || held.size(1) != 2) {
    fail_for(file, "must have a tensor \"", kReference, "\" [pairs, 2]");
  }
  return {std::move(model), held};
}

void save_model(const std::filesystem::path& folder, const PreferenceModel& model) {
  save_model(folder, static_cast<const PromptModel&>(model));
  save_safetensors((folder / kReferenceFile).string(), {{kReference, model.reference}});
}

Tensor answer_log_probabilities(const Gpt& model, const std::vector<PromptRow>& rows,
                                std::int32_t filler) {
  std::vector<TokenRow> inputs, targets;
  for (const auto& [tokens, prompt] : rows) {
    inputs.emplace_back(tokens.begin(), tokens.end() - 1);
    targets.emplace_back(tokens.begin() + 1, tokens.end());
  }
  const IndexTensor wanted = padded(targets, filler);
  const Index batch = wanted.size(0), time = wanted.size(1);
  Tensor counted = zeros({batch, time});
  for (Index i = 0; i < batch; ++i) {
    const auto& [tokens, prompt] = rows[static_cast<std::size_t>(i)];
    const Index first = static_cast<Index>(prompt) - 1, last = std::ssize(tokens) - 1;
    std::fill_n(counted.mutable_data() + i * time + first, last - first, Scalar(1));
  }
  const Tensor log_p = log_softmax(model(padded(inputs, filler)), -1);
  const Tensor chosen = gather(log_p, -1, wanted.reshape({batch, time, 1}));
  return sum(reshape(chosen, {batch, time}) * counted, 1);
}

Tensor preference_loss(const Tensor& log_p, const Tensor& reference, Scalar beta) {
  check(log_p.rank() == 2 && log_p.size(1) == 2 && reference.shape() == log_p.shape(),
        "preference_loss: needs log probabilities [B, 2] of both models, got ", log_p.shape(),
        " and ", reference.shape());
  // With two logits, the cross-entropy of the first is -ln sigmoid(first - second).
  return cross_entropy(beta * (log_p - reference), IndexTensor(Shape{log_p.size(0)}));
}

PreferenceTask::PreferenceTask(PreferenceModel model, std::string name, DataSplit<Preference> data,
                               Scalar beta)
    : ExamplesTask(std::move(model), std::move(name)),
      data_(std::move(data)),
      beta_(beta),
      end_(answer_end(*model_.tokenizer)) {
  check(beta > 0 && beta <= std::numeric_limits<Scalar>::max(),
        "preferences: beta must be above 0 and finite, got ", beta);
  train_ = encode(data_.train);
  held_out_ = encode(data_.held_out);
  check(!train_.empty() && !held_out_.empty(),
        "preferences: needs training and held-out pairs, got ", data_.train.size(), " and ",
        data_.held_out.size());
  const Index pairs = std::ssize(data_.train) + std::ssize(data_.held_out);
  if (!model_.reference.defined()) {
    model_.reference = concat({log_probabilities(train_), log_probabilities(held_out_)}, 0);
  }
  check(model_.reference.size(0) == pairs, "preferences: ", kReferenceFile, " belongs to ",
        model_.reference.size(0), " pairs, but ", name_, " has ", pairs,
        " (resume the run with the data that it began with)");
}

std::vector<PromptRow> PreferenceTask::encode(const std::vector<Preference>& pairs) const {
  std::vector<PromptRow> rows;
  for (const Preference& pair : pairs) {
    rows.push_back(prompt_row(model_, pair.prompt, pair.better, end_));
    rows.push_back(prompt_row(model_, pair.prompt, pair.worse, end_));
  }
  return rows;
}

Tensor PreferenceTask::log_probabilities(std::span<const PromptRow> rows) const {
  const NoGrad no_grad;
  std::vector<Tensor> parts;
  for (std::size_t begin = 0; begin < rows.size(); begin += kRowsAtOnce) {
    const auto some = rows.subspan(begin, std::min(kRowsAtOnce, rows.size() - begin));
    const Tensor part = answer_log_probabilities(model_.model, {some.begin(), some.end()}, end_);
    parts.push_back(reshape(part, {-1, 2}));
  }
  return concat(parts, 0);
}

Tensor PreferenceTask::held_out_reference(std::size_t pairs) const {
  const Index first = std::ssize(data_.train);
  return slice(model_.reference, 0, first, first + static_cast<Index>(pairs));
}

MeanLoss PreferenceTask::loss_of_rows(Split split, int batch_size, const RandomKey& key,
                                      const RowRange& part) {
  const bool is_held_out = split == Split::kVal;
  const std::vector<PromptRow>& all = is_held_out ? held_out_ : train_;
  std::vector<PromptRow> rows;
  std::vector<std::int32_t> pairs;
  for (const std::size_t i : rows_of(sample_indices(key, batch_size, all.size() / 2), part)) {
    rows.push_back(all[2 * i]);
    rows.push_back(all[2 * i + 1]);
    pairs.push_back(static_cast<std::int32_t>(i + (is_held_out ? data_.train.size() : 0)));
  }
  const Index count = std::ssize(pairs);
  profile_mark("batch");
  const Tensor log_p = answer_log_probabilities(model_.model, rows, end_);
  const Tensor reference = embedding(IndexTensor(Shape{count}, pairs), model_.reference);
  return {preference_loss(reshape(log_p, {count, 2}), reference, beta_),
          static_cast<double>(count)};
}

Index PreferenceTask::tokens_in(int batch_size) const {
  double tokens = 0;
  for (const PromptRow& row : train_) tokens += static_cast<double>(row.tokens.size());
  return static_cast<Index>(tokens / static_cast<double>(data_.train.size()) * batch_size);
}

std::vector<Score> PreferenceTask::scores() { return scored(kScoredPreferences); }

std::vector<Score> PreferenceTask::scores_of_all(int) { return scored(data_.held_out.size()); }

double PreferenceTask::scoring_examples() const {
  return static_cast<double>(std::min(kScoredPreferences, data_.held_out.size()));
}

std::vector<Score> PreferenceTask::scored(std::size_t most) const {
  const std::size_t pairs = std::min(most, data_.held_out.size());
  const Tensor log_p = log_probabilities(std::span(held_out_).first(2 * pairs));
  const NoGrad no_grad;
  return {{"ranked right", share_of_first(log_p)},
          {"moved right", share_of_first(log_p - held_out_reference(pairs))}};
}

std::string PreferenceTask::describe() const {
  return counted_as("pairs of answers", data_.train.size(), data_.held_out.size());
}

std::string PreferenceTask::demonstrate() {
  const std::size_t pairs = std::min(kScoredPreferences, data_.held_out.size());
  const Tensor now = log_probabilities(std::span(held_out_).first(2 * pairs));
  const Tensor before = held_out_reference(pairs);
  std::string lines;
  for (const Index column : {0, 1}) {
    lines += text(column == 0 ? "better" : "worse", " answers: log probability ",
                  one_decimal(mean_of_column(before, column)), " at first, ",
                  one_decimal(mean_of_column(now, column)), " now\n");
  }
  std::vector<std::string> prompts;
  for (const Preference& pair : first_of(data_.held_out, kShownPrompts)) {
    prompts.push_back(pair.prompt);
  }
  const std::vector<std::string> written = answers(model_, prompts);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const std::string& better = data_.held_out[i].better;
    lines += prompts[i] + "\n " + written[i] +
             (written[i] == better ? "" : "   (better:" + better + ")") + "\n";
  }
  return lines;
}

}  // namespace gradus
