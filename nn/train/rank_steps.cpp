#include "nn/train/rank_steps.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"
#include "nn/digest.h"
#include "nn/mode.h"

namespace gradus {
using namespace detail;
namespace {

/// In a profile, waits until all ranks are there, so that the time of waiting is apart from the
/// time of sums.
void wait_in_profile(Ranks& ranks) {
  if (observer == nullptr) {
    return;  // no profile is open
  }
  profile_mark("rest");  // the work of this rank before it waits
  double nothing = 0;
  ranks.sum({&nothing, 1});
  profile_mark(kWaitingForRanks);
}

}  // namespace

RankSteps::RankSteps(Ranks* ranks, const TrainOptions& options, std::vector<NamedTensor> learning)
    : ranks_(ranks != nullptr ? *ranks : alone_),
      options_(options),
      learning_(std::move(learning)),
      share_(share_of_step(options, ranks_)) {}

int RankSteps::batches_in_mean() const {
  return has_local_steps() ? share_.batches : options_.gradient_accumulation_steps;
}

double RankSteps::backward_of_rows(Task& task, const RandomKey& key, Scalar share) {
  const Training training(key.seed, key.step, key.place, static_cast<std::uint32_t>(ranks_.rank()));
  const auto [mean, count] =
      task.loss_of_rows(Split::kTrain, options_.batch_size, key, share_.rows);
  // The mean of a batch weighs each prediction alike, and ranks may have different numbers of them.
  std::array<double, 2> sums = {count * mean.item(), count};
  if (!has_local_steps()) {
    sum(sums);
  }
  const double predictions = std::max(1.0, sums[1]);  // masked words may leave a rank without any
  backward(mean, scalar(share * static_cast<Scalar>(count / predictions)));
  return sums[0] / predictions;
}

void RankSteps::after_gradients(std::span<double> losses) {
  if (ranks_.size() == 1 || has_local_steps()) {
    return;
  }
  if (share_.has_whole_batches) {  // the losses of rows are sums already
    sum(losses);
  }
  sum_gradients();
}

void RankSteps::sum_gradients() {
  // A parameter that no rank has used has no gradient. If only some ranks have used it, the others
  // add zeros.
  Gradients gradients;
  const Tensor users = zeros({std::ssize(learning_)});
  for (std::size_t i = 0; i < learning_.size(); ++i) {
    const Tensor& parameter = learning_[i].tensor;
    const Tensor gradient = parameter.grad();
    users.mutable_data()[i] = gradient.defined() ? 1 : 0;
    gradients.push_back(gradient.defined() ? gradient : zeros(parameter.shape()));
  }
  gradients.push_back(users);
  sum(gradients);
  for (std::size_t i = 0; i < learning_.size(); ++i) {
    if (users.data()[i] > 0) learning_[i].tensor.set_grad(gradients[i]);
  }
}

double RankSteps::value_to_check(double value) {
  if (!has_local_steps()) {
    return value;
  }
  since_mean_ += value;
  return 0;
}

bool RankSteps::are_apart_after(std::int64_t steps) const {
  return has_local_steps() && steps % options_.local_steps != 0 &&
         steps % options_.eval_interval != 0 && steps < options_.max_iters;
}

bool RankSteps::take_mean_after(std::int64_t steps) const {
  return has_local_steps() && !are_apart_after(steps);
}

double RankSteps::values_since_mean() {
  double all = std::exchange(since_mean_, 0);
  sum({&all, 1});
  return all;
}

void RankSteps::take_mean(std::span<const Tensor> tensors) {
  sum(tensors);
  const Scalar share = Scalar(1) / static_cast<Scalar>(ranks_.size());
  for (const Tensor& x : tensors) {
    map(x.size(), x.data(), x.mutable_data(), [share](Scalar sum) { return share * sum; });
  }
  profile_mark("mean of ranks");
}

bool RankSteps::any(bool here) {
  double count = here ? 1 : 0;
  ranks_.sum({&count, 1});
  return count > 0;
}

void RankSteps::check_copies(std::int64_t steps, const std::filesystem::path& last_saved) {
  if (ranks_.size() == 1) {
    return;
  }
  Digest digest;
  for (const NamedTensor& parameter : learning_) {
    digest.add(parameter.tensor);
  }
  if (const int rank = rank_that_differs(ranks_, digest.value())) {
    throw std::runtime_error(text(
        "all ranks must have the same weights, but rank ", rank, " differs from rank 0 after step ",
        steps, ": one machine computes differently or wrongly",
        last_saved.empty() ? "" : text(". The last good checkpoint is ", last_saved.string()),
        " (start all ranks with the same program, on processors of one kind)"));
  }
}

void RankSteps::sum(std::span<const Tensor> tensors) {
  wait_in_profile(ranks_);
  ranks_.sum(tensors);
  std::uint64_t bytes = 0;
  for (const Tensor& x : tensors) {
    bytes += sizeof(Scalar) * static_cast<std::uint64_t>(x.size());
  }
  profile_mark(kSumOverRanks, ProfilePart::kOutside, bytes);
}

void RankSteps::sum(std::span<double> numbers) {
  if (ranks_.size() > 1) {
    wait_in_profile(ranks_);
    ranks_.sum(numbers);
    profile_mark(kSumOverRanks);
  }
}

}  // namespace gradus
