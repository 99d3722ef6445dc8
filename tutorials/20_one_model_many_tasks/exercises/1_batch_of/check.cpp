#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/common/batch.h"

namespace {

void ask(const std::string& what, const Rows& rows, bool everything, const Tensor& inputs,
         const Tensor& targets) {
  gradus::expect_batch(what, batch_of(rows, everything), inputs, targets);
}

}  // namespace

CHECK_ANSWER() {
  ask("a prompt of three tokens", {{{3, 4, 5}, {8, 9, 0}}}, false, tensor({{3, 4, 5, 8, 9}}),
      tensor({{-100, -100, 8, 9, 0}}));
  ask("the loss on everything", {{{3, 4, 5}, {8, 9, 0}}}, true, tensor({{3, 4, 5, 8, 9}}),
      tensor({{4, 5, 8, 9, 0}}));
  ask("two rows of one length", {{{3, 4}, {6, 7, 0}}, {{3, 4, 5}, {8, 0}}}, false,
      tensor({{3, 4, 6, 7}, {3, 4, 5, 8}}), tensor({{-100, 6, 7, 0}, {-100, -100, 8, 0}}));
  ask("a short row first, and a long prompt with a short answer",
      {{{3}, {8, 0}}, {{4, 5, 6}, {7, 8, 9, 0}}, {{2, 3, 4, 5}, {0}}}, false,
      tensor({{3, 8, 0, 0, 0, 0}, {4, 5, 6, 7, 8, 9}, {2, 3, 4, 5, 0, 0}}),
      tensor({{8, 0, -100, -100, -100, -100},
              {-100, -100, 7, 8, 9, 0},
              {-100, -100, -100, 0, -100, -100}}));
  ask("the same, on everything", {{{3}, {8, 0}}, {{4, 5, 6}, {7, 8, 9, 0}}}, true,
      tensor({{3, 8, 0, 0, 0, 0}, {4, 5, 6, 7, 8, 9}}),
      tensor({{8, 0, -100, -100, -100, -100}, {5, 6, 7, 8, 9, 0}}));
  ask("a prompt that contains token 0, and its answer's token",
      {{{3, 0, 8, 4}, {8, 0}}, {{8, 8}, {8, 8, 0}}}, false,
      tensor({{3, 0, 8, 4, 8}, {8, 8, 8, 8, 0}}),
      tensor({{-100, -100, -100, 8, 0}, {-100, 8, 8, 0, -100}}));
  Rows rows;
  std::vector<Scalar> inputs, targets;
  for (std::int32_t b = 0; b < 40; ++b) {
    const std::int32_t asked = b * 7 % 30, answer = 1 + b * 11 % 9;  // the longest has 37 inputs
    Row& row = rows.emplace_back();
    std::vector<Scalar> all, goal;
    for (std::int32_t t = 0; t <= asked + answer; ++t) {
      const std::int32_t token = t == asked + answer ? 0 : 1 + (b + 3 * t) % 50;
      (t <= asked ? row.prompt : row.answer).push_back(token);
      all.push_back(Scalar(token)), goal.push_back(t <= asked ? -100 : Scalar(token));
    }
    all.back() = 0, all.resize(37, 0);
    goal.erase(goal.begin()), goal.resize(37, -100);
    inputs.insert(inputs.end(), all.begin(), all.end());
    targets.insert(targets.end(), goal.begin(), goal.end());
  }
  ask("40 rows", rows, false, tensor({40, 37}, inputs), tensor({40, 37}, targets));
}
