#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/common/batch.h"

namespace {

using Conversation = std::vector<Turn>;

void ask(const std::string& what, const std::vector<Conversation>& rows, std::int32_t end,
         const Tensor& inputs, const Tensor& targets) {
  gradus::expect_batch(what, conversations(rows, end), inputs, targets);
}

constexpr bool kModel = true, kOther = false;

}  // namespace

CHECK_ANSWER() {
  ask("the inputs of one question and one answer", {{{kOther, {3, 4, 5}}, {kModel, {8, 9}}}}, 1,
      tensor({{3, 4, 5, 8, 9}}), tensor({{-100, -100, 8, 9, 1}}));
  ask("a second question", {{{kOther, {3}}, {kModel, {8, 9}}, {kOther, {4, 5}}, {kModel, {7}}}}, 1,
      tensor({{3, 8, 9, 1, 4, 5, 7}}), tensor({{8, 9, 1, -100, -100, 7, 1}}));
  ask("rows of three lengths",
      {{{kOther, {3}}, {kModel, {8}}},
       {{kOther, {3, 4, 5}}, {kModel, {6, 7}}},
       {{kOther, {2, 2}}, {kModel, {9}}}},
      1, tensor({{3, 8, 1, 1, 1}, {3, 4, 5, 6, 7}, {2, 2, 9, 1, 1}}),
      tensor({{8, 1, -100, -100, -100}, {-100, -100, 6, 7, 1}, {-100, 9, 1, -100, -100}}));
  ask("another number for `end`, and the model speaks first and twice",
      {{{kModel, {4}}, {kModel, {5, 6}}, {kOther, {7, 8}}}, {{kOther, {1, 0}}, {kModel, {}}}}, 9,
      tensor({{4, 9, 5, 6, 9, 7}, {1, 0, 9, 9, 9, 9}}),
      tensor({{9, 5, 6, 9, -100, -100}, {-100, 9, -100, -100, -100, -100}}));
  ask("somebody else says `end`", {{{kOther, {3, 1, 4}}, {kModel, {5}}}}, 1, tensor({{3, 1, 4, 5}}),
      tensor({{-100, -100, 5, 1}}));
  Conversation many;
  Tokens tokens, asked;
  for (int i = 0; i < 200; ++i) {
    Tokens said;
    for (int j = 0; j < 1 + i % 5; ++j) said.push_back(2 + (i * 7 + j) % 40);
    many.push_back({i % 3 == 1, said});
    for (const std::int32_t token : said) {
      tokens.push_back(token), asked.push_back(i % 3 == 1 ? token : -100);
    }
    if (i % 3 == 1) tokens.push_back(0), asked.push_back(0);
  }
  const Index length = std::ssize(tokens) - 1;
  ask("200 turns", {many}, 0, tensor({1, length}, {tokens.begin(), tokens.end() - 1}),
      tensor({1, length}, {asked.begin() + 1, asked.end()}));
}
