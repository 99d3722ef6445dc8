#include "nn/tasks/prompt_task.h"

#include <cmath>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/shape.h"
#include "nn/data/corpus.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/gpt_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/generate/search.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/golden_tokenizers.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

namespace {

GptConfig sizes() {
  return {
      .n_positions = 9, .n_layer = 1, .n_head = 2, .n_embd = 16, .dropout = 0, .token_shift = true};
}

std::shared_ptr<const Tokenizer> letters() {
  return std::make_shared<CharTokenizer>(CharTokenizer::learn("\n =?abcd"));
}

/// Two tasks: to repeat the last letter, and to answer "b".
DataSplit<Prompt> echoes() {
  DataSplit<Prompt> data;
  for (int i = 0; i < 64; ++i) {
    std::string word;
    for (int j = 0; j <= i / 4 % 3; ++j) word += "abcd"[(i * 5 + j * (i / 16)) % 4];
    const bool echo = i % 2 == 0;
    const Prompt prompt = {word + (echo ? "=" : "?"), std::string(" ") + (echo ? word.back() : 'b'),
                           echo ? "echo" : "b"};
    (i % 4 == 3 || i % 8 == 0 ? data.held_out : data.train).push_back(prompt);
  }
  return data;
}

PromptModel tiny_model() { return make_prompt_model(letters(), sizes(), 4); }

}  // namespace

TEST_CASE("prompt task: the loss covers answers and ends, or all tokens, but no padding") {
  const Prompt item{"ab=", " cd", "x"};
  const auto losses = [&](bool on_prompt) {
    PromptTask task(tiny_model(), "x", {{item}, {item}}, on_prompt);
    return task.loss(Split::kTrain, 3, {1, 2, 3}).item();
  };
  const PromptModel model = tiny_model();
  const std::vector<std::int32_t> row = model.tokenizer->encode("ab= cd\n");
  const auto of_last = [&](Index count) {  // the mean over the last targets
    double sum = 0;
    for (Index i = 6 - count; i < 6; ++i) {
      const IndexTensor seen({1, i + 1}, std::span(row).first(static_cast<std::size_t>(i + 1)));
      const Tensor next = reshape(slice(model.model(seen), 1, -1), {1, -1});
      sum += cross_entropy(next, indices({row[static_cast<std::size_t>(i + 1)]})).item();
    }
    return sum / static_cast<double>(count);
  };
  CHECK(losses(false) == doctest::Approx(of_last(4)).epsilon(1e-5));  // " ", "c", "d" and the end
  CHECK(losses(true) == doctest::Approx(of_last(6)).epsilon(1e-5));
}

TEST_CASE("prompt task: a longer row beside it changes the mean by its own tokens alone") {
  const Prompt shorter{"a=", " b", "x"}, longer{"abc=", " bcd", "x"};
  const auto loss_of = [](std::vector<Prompt> train, const RandomKey& key) {
    PromptTask task(tiny_model(), "x", {std::move(train), {{"a=", " b", "x"}}});
    return static_cast<double>(task.loss(Split::kTrain, 8, key).item());
  };
  const RandomKey key{7, 1, 0};
  double tokens = 0, sum = 0;
  for (const std::size_t i : sample_indices(key, 8, 2)) {
    const double own = i == 0 ? 3 : 5;  // answer and end token
    tokens += own;
    sum += own * loss_of({i == 0 ? shorter : longer}, key);
  }
  CHECK(tokens > 24);
  CHECK(tokens < 40);  // both were drawn
  CHECK(loss_of({shorter, longer}, key) == doctest::Approx(sum / tokens).epsilon(1e-5));
}

TEST_CASE("prompt task: learns to answer, scores by task, is kept as an ordinary GPT") {
  const TemporaryFolder folder;
  PromptTask task(tiny_model(), "echoes", echoes());
  CHECK(task.describe() == "echoes: 40 prompts to train on, 24 held out");
  TrainOptions options;
  options.max_iters = 150;
  options.batch_size = 16;
  options.schedule = {.rate = 2e-2, .floor = 2e-3, .warmup = 5, .decay = 150};
  options.eval_interval = 150;
  options.eval_iters = 1;
  Trainer trainer(task, options, folder.path);
  CHECK(trainer.run({}));
  const std::vector<Score> scores = task.scores_of_all(1);
  REQUIRE(scores.size() == 3);
  CHECK(scores[0].name == "exact match");
  CHECK(scores[1].name == "b");
  CHECK(scores[2].name == "echo");
  for (const Score& score : scores) CHECK(score.value == 1);
  CHECK(task.scores()[0].value == 1);
  CHECK(task.demonstrate().find("(expected:") == std::string::npos);

  const PromptModel kept = load_prompt_model(folder.path / "last");
  CHECK(answers(kept, {"ad=", "cc?", "d="}) == std::vector<std::string>{" d", " b", " d"});
  const std::vector<std::int32_t> given = kept.tokenizer->encode("ad=");
  GptDecoding state(kept.model, given);
  const auto end = kept.tokenizer->encode("\n")[0];
  const auto greedy = greedy_search(state, {.end = end, .max_tokens = 4});
  CHECK(kept.tokenizer->decode(greedy[0].tokens) == " d");
  CHECK(load_checkpoint(folder.path / "last").tokenizer->name() == "char");
}

TEST_CASE("prompt task: tokenizers that put a blank before each text") {
  for (const char* name : {"llama 2", "mistral", "metaspace words", "metaspace never"}) {
    CAPTURE(name);
    const std::shared_ptr<const Tokenizer> tokenizer =
        tokenizer_from_json(golden_tokenizer(name).dump(), "x");
    GptConfig config = sizes();
    config.token_shift = false;
    const std::vector<Prompt> both = {{"a=", " a", "x"}, {"b=", "b  c", "x"}};
    PromptTask task(make_prompt_model(tokenizer, config, 1), "letters", {both, both});
    TrainOptions options;
    options.max_iters = 120;
    options.schedule.rate = 0.03;
    options.eval_iters = 1;
    Trainer(task, options, "").run({});
    CHECK(answers(task.model(), {"a=", "b="}) == std::vector<std::string>{" a", "b  c"});
    CHECK(task.scores_of_all(1)[0].value == 1);
  }
}

TEST_CASE("prompt task: an untrained model's scores count only right answers") {
  DataSplit<Prompt> data = echoes();
  PromptTask task(tiny_model(), "echoes", data);
  const std::vector<Score> scores = task.scores_of_all(1);
  std::size_t right = 0;
  for (const Prompt& prompt : data.held_out) {
    right += answers(task.model(), {prompt.prompt})[0] == prompt.answer;
  }
  CHECK(scores[0].value == static_cast<double>(right) / 24);
  CHECK(scores[0].value < 0.5);
}

TEST_CASE("prompt task: an answer without an end is cut off where the window is full") {
  PromptModel model = tiny_model();
  visit_parameters(model.model, [](const std::string&, Tensor& parameter) {
    std::ranges::transform(parameter, parameter.mutable_data(),
                           [=](Scalar w) { return w * 5; });  // so that it repeats itself
  });
  const std::size_t full = 9 - 2 + 1;  // the last token is written, not read
  CHECK(answers(model, {"a="})[0].size() <= full);
  CHECK(answers(model, {"abcdabcd="})[0].size() <= 1);
  CHECK_FAILS(answers(model, {"abcdabcdab"}), "must have at most 9 tokens, got 10");
  CHECK_FAILS(answers(model, {""}), "a prompt is empty");
  CHECK_FAILS(answers(model, {"xyz"}), "the vocabulary has no 'x'");
}

TEST_CASE("prompt task: refuses unsuitable examples") {
  const Prompt good{"a=", " b", "x"};
  const auto task = [&](const Prompt& prompt) {
    return PromptTask(tiny_model(), "x", {{prompt}, {good}});
  };
  CHECK_FAILS(task({"abcd=", " abcd", "x"}), "must have at most 9 tokens with its answer, got 10");
  CHECK_NOTHROW(task({"abcd=", " abc", "x"}));
  CHECK_FAILS(task({"", " a", "x"}), "' a' has no prompt");
  CHECK_FAILS(task({"a=", " a\nb", "x"}), "must be one line");
  CHECK_FAILS(PromptTask(tiny_model(), "x", {{good}, {}}), "held-out prompts, got 1 and 0");
  CHECK_FAILS(
      make_prompt_model(std::make_shared<CharTokenizer>(CharTokenizer::learn("abc")), sizes(), 1),
      "the char tokenizer has no token for a new line");
  Text one_line;
  one_line.append("x", "a b c d");
  CHECK_FAILS(make_prompt_model(learn_tokenizer("word", one_line, 100), sizes(), 1),
              "the word tokenizer has no token for a new line");
}
