#include "tutorials/common/check.h"

#include "tutorials/20_one_model_many_tasks/exercises.h"

using gradus::green;
using gradus::red;

namespace {

std::string row_of(const IndexTensor& x, Index row) {
  std::ostringstream out;
  for (Index t = 0; t < x.size(1); ++t) out << " " << x.data()[row * x.size(1) + t];
  return out.str();
}

using Conversation = std::vector<Turn>;

void ask(const std::string& what, const std::vector<Conversation>& rows, std::int32_t end,
         const Tensor& inputs, const Tensor& targets, const std::string& cause) {
  const Batch got = conversations(rows, end);
  const auto compare = [&](const char* name, const IndexTensor& x, const Tensor& expected) {
    if (!x.defined() || x.shape() != expected.shape()) {
      red(what + ": " + name + ": " + gradus::shape_got(x) + ", expected " +
          (std::ostringstream() << expected.shape()).str() + "\nlikely cause: " + cause);
    }
    const IndexTensor right(expected.shape(), {expected.begin(), expected.end()});
    for (Index b = 0; b < x.size(0); ++b) {
      if (row_of(x, b) == row_of(right, b)) continue;
      red(what + ": row " + std::to_string(b) + " of the " + name + "\n  got     " + row_of(x, b) +
          "\n  expected" + row_of(right, b) + "\nlikely cause: " + cause);
    }
  };
  compare("inputs", got.inputs, inputs);
  compare("targets", got.targets, targets);
  green(what);
}

constexpr bool kModel = true, kOther = false;

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("the inputs of one question and one answer", {{{kOther, {3, 4, 5}}, {kModel, {8, 9}}}}, 1,
        tensor({{3, 4, 5, 8, 9}}), tensor({{-100, -100, 8, 9, 1}}),
        "position t asks for token t + 1; `end` follows each turn of the model, and it must learn "
        "to stop; what others say is not to be learnt");
    ask("a second question", {{{kOther, {3}}, {kModel, {8, 9}}, {kOther, {4, 5}}, {kModel, {7}}}},
        1, tensor({{3, 8, 9, 1, 4, 5, 7}}), tensor({{8, 9, 1, -100, -100, 7, 1}}),
        "each of its turns counts, not only the last; `end` follows the turns of the model alone; "
        "to know whether a position counts, look at the token that comes next, not at the one "
        "that is read");
    ask("rows of three lengths",
        {{{kOther, {3}}, {kModel, {8}}},
         {{kOther, {3, 4, 5}}, {kModel, {6, 7}}},
         {{kOther, {2, 2}}, {kModel, {9}}}},
        1, tensor({{3, 8, 1, 1, 1}, {3, 4, 5, 6, 7}, {2, 2, 9, 1, 1}}),
        tensor({{8, 1, -100, -100, -100}, {-100, -100, 6, 7, 1}, {-100, 9, 1, -100, -100}}),
        "padding has no target, and is padded with `end`; the longest row decides how long the "
        "batch is, less 1");
    ask("another number for `end`, and the model speaks first and twice",
        {{{kModel, {4}}, {kModel, {5, 6}}, {kOther, {7, 8}}}, {{kOther, {1, 0}}, {kModel, {}}}}, 9,
        tensor({{4, 9, 5, 6, 9, 7}, {1, 0, 9, 9, 9, 9}}),
        tensor({{9, 5, 6, 9, -100, -100}, {-100, 9, -100, -100, -100, -100}}),
        "use the number that `end` is; an empty turn is an end alone");
    ask("somebody else says `end`", {{{kOther, {3, 1, 4}}, {kModel, {5}}}}, 1,
        tensor({{3, 1, 4, 5}}), tensor({{-100, -100, 5, 1}}),
        "a token of somebody else may be any number, and is never asked");
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
        tensor({1, length}, {asked.begin() + 1, asked.end()}), "go through all turns");
  });
}
