// golden/preference_reference.py made the fixture with PyTorch.
#include "nn/tasks/preference_task.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/graph.h"
#include "nn/data/readers.h"
#include "nn/examples/prompts.h"
#include "nn/files/gpt_files.h"
#include "nn/files/safetensors.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/saved_checkpoint.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;

PromptModel choosing_model() {
  const auto tokenizer = std::make_shared<CharTokenizer>(CharTokenizer::learn("\n =abcd"));
  return make_prompt_model(
      tokenizer, {.n_positions = 9, .n_layer = 1, .n_head = 2, .n_embd = 16, .dropout = 0}, 4);
}

/// The better answer repeats the letter, the worse one is the next letter.
DataSplit<Preference> letter_pairs() {
  DataSplit<Preference> data;
  for (int i = 0; i < 4; ++i) {
    const std::string own(1, "abcd"[i]), next(1, "abcd"[(i + 1) % 4]);
    data.train.push_back({own + "=", " " + own, " " + next});
    data.train.push_back({own + own + "=", " " + own, " " + next});
  }
  data.held_out = {data.train[1], data.train[4], data.train[7]};
  return data;
}

TrainOptions options_for_pairs() {
  TrainOptions options;
  options.max_iters = 40;
  options.batch_size = 4;
  options.schedule = {.rate = 1e-2, .floor = 1e-3, .warmup = 2, .decay = 40};
  options.eval_interval = 20;
  options.eval_iters = 1;
  return options;
}

}  // namespace

TEST_CASE("preferences: log probabilities, loss and gradients are PyTorch's") {
  const Safetensors golden =
      load_safetensors((fs::path(GRADUS_GOLDEN_DIR) / "preferences.safetensors").string());
  const IndexTensor& tokens = golden.indices.at("tokens");
  std::vector<PromptRow> rows;
  for (Index i = 0; i < tokens.size(0); ++i) {
    PromptRow& row = rows.emplace_back();
    row.prompt = static_cast<std::size_t>(golden.indices.at("prompts").data()[i / 2]);
    for (Index t = 0; t < 8 && tokens.data()[8 * i + t] >= 0; ++t) {
      row.tokens.push_back(tokens.data()[8 * i + t]);
    }
  }
  const Gpt model = load_gpt(fs::path(GRADUS_GOLDEN_DIR) / "gpt_f32");
  const Gpt original = load_gpt(fs::path(GRADUS_GOLDEN_DIR) / "lora/gpt2");
  const Tensor log_p = reshape(answer_log_probabilities(model, rows, 3), {4, 2});
  const Tensor reference = reshape(answer_log_probabilities(original, rows, 0), {4, 2}).detach();
  CHECK(difference(log_p, golden.tensors.at("log_p"), 1e-5) == "");
  CHECK(difference(reference, golden.tensors.at("reference"), 1e-5) == "");
  const Tensor loss = preference_loss(log_p, reference, golden.tensors.at("beta").item());
  CHECK(difference(loss, golden.tensors.at("loss"), 1e-5) == "");
  backward(loss);
  int gradients = 0;
  for (const auto& [name, tensor, role] : parameters(model)) {
    if (golden.tensors.contains("grad/" + name)) {
      const std::string parameter = name;
      CAPTURE(parameter);
      CHECK(difference(tensor.grad(), golden.tensors.at("grad/" + name), 1e-5) == "");
      ++gradients;
    }
  }
  CHECK(gradients == 3);
}

TEST_CASE("preferences: the loss begins at ln 2, with a gradient, and stays finite") {
  const Tensor equal = tensor({{-3, -9}}).set_requires_grad();
  const Tensor loss = preference_loss(equal, equal.detach(), Scalar(0.5));
  CHECK(loss.item() == doctest::Approx(std::log(2)));
  backward(loss);
  CHECK(difference(equal.grad(), tensor({{-0.25, 0.25}}), 1e-6) == "");
  const Tensor far = tensor({{-2000, -1}});
  CHECK(preference_loss(far, zeros({1, 2}), 1).item() == doctest::Approx(1999));
  CHECK(preference_loss(zeros({1, 2}), far, 1).item() == doctest::Approx(0));
  CHECK_FAILS(preference_loss(zeros({2}), zeros({2}), 1),
              "preference_loss: needs log probabilities [B, 2] of both models, got [2] and [2]");
}

TEST_CASE("preferences: a model learns to rank, and is kept as an ordinary GPT") {
  const TemporaryFolder folder;
  PreferenceTask task({choosing_model()}, "letters", letter_pairs(), Scalar(0.5));
  CHECK(task.describe() == "letters: 8 pairs of answers to train on, 3 held out");
  CHECK(task.model().reference.shape() == Shape{11, 2});
  CHECK(task.loss(Split::kVal, 4, {1, 0, 0}).item() == doctest::Approx(std::log(2)));
  CHECK(task.scores()[1].value == 0);
  Trainer trainer(task, options_for_pairs(), folder.path);
  CHECK(trainer.run({}));
  const std::vector<Score> scores = task.scores();
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].name == "ranked right");
  CHECK(scores[0].value == 1);
  CHECK(scores[1].name == "moved right");
  CHECK(scores[1].value == 1);
  CHECK(task.loss(Split::kVal, 4, {1, 0, 0}).item() < 0.5);
  CHECK(task.demonstrate().find("worse answers: log probability -") != std::string::npos);
  const Checkpoint kept = load_checkpoint(folder.path / "last");
  CHECK(all_values(parameters(kept.model)) == all_values(parameters(task.model().model)));
}

TEST_CASE("preferences: a resumed run keeps its original model, and its bits") {
  for (const bool is_adapted : {false, true}) {
    CAPTURE(is_adapted);
    const TemporaryFolder folder;
    const fs::path base = folder.path / "base";
    fs::create_directory(base);
    save_model(base, choosing_model());
    const auto train = [&](const char* out, std::int64_t stop, bool resume) {
      const fs::path last = folder.path / out / "last";
      PromptModel model = !resume      ? load_prompt_model(base)
                          : is_adapted ? load_adapted_prompt_model(last)
                                       : load_prompt_model(last);
      if (is_adapted && !resume) adapt(model, {base, {.rank = 4}}, 2);
      PreferenceModel pair_model{std::move(model)};
      if (resume) pair_model = with_reference(std::move(pair_model), last);
      PreferenceTask task(std::move(pair_model), "letters", letter_pairs(), Scalar(0.5));
      Trainer trainer(task, options_for_pairs(), folder.path / out);
      if (resume) trainer.resume(last, *load_state(last));
      trainer.run({.should_stop = [&] { return trainer.state().step == stop; }});
    };
    train("whole", -1, false);
    train("parts", 13, false);
    train("parts", -1, true);
    for (const char* file : {is_adapted ? kAdapterFile : "model.safetensors",
                             "optimizer.safetensors", kReferenceFile}) {
      CAPTURE(file);
      CHECK(bytes_of(folder.path / "parts/last" / file) ==
            bytes_of(folder.path / "whole/last" / file));
    }
    edit_tensors(folder.path / "parts/last" / kReferenceFile,
                 [](auto& tensors) { tensors.begin()->second.mutable_data()[3] = kNaN; });
    CHECK_REFUSES(with_reference(choosing_model(), folder.path / "parts/last"),
                  "log_probabilities contains NaN at [1, 1]");
    fs::remove(folder.path / "parts/last" / kReferenceFile);
    CHECK_REFUSES(with_reference(choosing_model(), folder.path / "parts/last"), "does not exist");
  }
}

TEST_CASE("preferences: refuses unsuitable pairs") {
  const auto task = [](DataSplit<Preference> data, Scalar beta) {
    PreferenceTask({choosing_model()}, "letters", std::move(data), beta);
  };
  CHECK_FAILS(task(letter_pairs(), 0), "preferences: beta must be above 0 and finite, got 0");
  CHECK_FAILS(task({{}, {{"a=", " a", " b"}}}, 1),
              "preferences: needs training and held-out pairs");
  CHECK_FAILS(task({{{"a=", " a", " b\n"}}, {{"a=", " a", " b"}}}, 1), "must be one line");
  CHECK_FAILS(task({{{"aaaaaaaa=", " a", " b"}}, {{"a=", " a", " b"}}}, 1), "must have at most 9");
  PreferenceModel model{choosing_model()};
  model.reference = zeros({5, 2});
  CHECK_FAILS(PreferenceTask(model, "letters", letter_pairs(), 1),
              "belongs to 5 pairs, but letters has 11 (resume the run with the data");
}

TEST_CASE("preferences: lines of a file, and the built-in set") {
  const TemporaryFolder folder;
  const std::string file = folder.file("pairs.tsv", "2 + 2 =\t4\t5\r\n\nsay \thi\t ho\n");
  const std::vector<Preference> pairs = read_preferences(file);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].prompt == "2 + 2 =");
  CHECK(pairs[0].better == " 4");
  CHECK(pairs[0].worse == " 5");
  CHECK(pairs[1].better == "hi");
  CHECK(pairs[1].worse == " ho");
  for (const char* line : {"a\tb\n", "a\tb\tc\td\n", "a\n"}) {
    CHECK_REFUSES(read_preferences(folder.file("bad.tsv", std::string("x\ty\tz\n") + line)),
                  "bad.tsv: line 2: needs 3 fields, got ");
  }
  CHECK_REFUSES(read_preferences(folder.file("bad.tsv", "x\t\tz\n")), "line 1: field 2 is empty");

  std::set<std::string> prompts;
  for (const auto& [prompt, better, worse] : quality_preferences(500, 1)) {
    prompts.insert(prompt);
    CHECK(prompt.ends_with(" <summarize>"));
    // The better answer has one word more, which is in the report.
    const std::size_t at =
        static_cast<std::size_t>(std::ranges::mismatch(better, worse).in1 - better.begin());
    const std::size_t words = static_cast<std::size_t>(std::ranges::count(better, ' '));
    CHECK(static_cast<std::size_t>(std::ranges::count(worse, ' ')) + 1 == words);
    CHECK(at > 5);
    CHECK(prompt.find(better.substr(better.rfind(' ', at) + 1, 5)) != std::string::npos);
  }
  CHECK(prompts.size() == 500);
  const std::vector<Prompt> reports = report_prompts(500, 1), summaries = summary_prompts(500, 1);
  for (std::size_t i = 0; i < 500; ++i) {
    CHECK(reports[i].prompt == summaries[i].prompt);
    CHECK((reports[i].answer == summaries[i].answer) == (i % 2 == 0));
  }
}
