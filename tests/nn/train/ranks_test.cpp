#include "nn/train/ranks.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/files/bert_files.h"
#include "nn/files/gpt_files.h"
#include "nn/tasks/gpt_task.h"
#include "nn/tasks/label_task.h"
#include "nn/tasks/masked_word_task.h"
#include "nn/tasks/prompt_task.h"
#include "nn/tasks/text_classifier.h"
#include "nn/tasks/translation_task.h"
#include "nn/tasks/vision_task.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/thread_ranks.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

namespace {

/// The results of a training run.
struct Result {
  std::vector<double> losses;            // of the steps
  std::vector<double> evals;             // train and validation loss of each evaluation
  std::vector<Scalar> parameters;        // of rank 0
  std::vector<Scalar> other_parameters;  // of the last rank
  std::int64_t steps = 0;
};

/// Trains on `size` ranks, each with its own model and task.
Result trained(const TinyRun& run, int size, const std::filesystem::path& out = "",
               bool resume = false, std::int64_t stop = std::numeric_limits<std::int64_t>::max()) {
  Result result;
  on_ranks(size, [&](Ranks& ranks) {
    std::optional<Checkpoint> kept;
    if (resume) kept.emplace(load_checkpoint(out / "last"));
    Gpt model = resume ? std::move(kept->model) : Gpt(run.config, run.options.seed);
    set_requires_grad(model, true);
    GptTask task(model, run.corpus, run.tokenizer);
    Trainer trainer(task, run.options, ranks.is_first() ? out : "", &ranks);
    if (resume) trainer.resume(out / "last", *kept->state);
    TrainCallbacks callbacks;
    if (ranks.is_first()) {
      callbacks.on_step = [&](const StepReport& report) { result.losses.push_back(report.loss); };
      callbacks.on_eval = [&](const EvalReport& report) {
        result.evals.push_back(report.train_loss);
        result.evals.push_back(report.val_loss);
      };
    }
    if (ranks.rank() == size - 1) {  // any rank may stop the run
      callbacks.should_stop = [&] { return trainer.state().step >= stop; };
    }
    trainer.run(callbacks);
    if (ranks.is_first()) {
      result.parameters = all_values(parameters(model));
      result.steps = trainer.state().step;
    }
    if (ranks.rank() == size - 1) result.other_parameters = all_values(parameters(model));
  });
  return result;
}

void check_equal(const Result& a, const Result& b) {
  CHECK(a.losses == b.losses);
  CHECK(a.evals == b.evals);
  CHECK(a.parameters == b.parameters);
  CHECK(a.parameters == a.other_parameters);
  CHECK(b.parameters == b.other_parameters);
}

double largest_difference(const auto& a, const auto& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i] - b[i])));
  }
  return largest;
}

/// Returns the gradients of a loss and clears them.
std::vector<Scalar> gradients(Task& task, const Tensor& loss) {
  backward(loss);
  std::vector<Scalar> all;
  for (NamedTensor& named : trainable(task.parameters())) {
    const Tensor gradient = named.tensor.grad();
    const std::vector<Scalar> values =
        gradient.defined() ? gradient.values()
                           : std::vector<Scalar>(static_cast<std::size_t>(named.tensor.size()));
    all.insert(all.end(), values.begin(), values.end());
    named.tensor.zero_grad();
  }
  return all;
}

/// Checks that rows 0, 1 to 3 and 4 of a batch together give its loss and gradient.
void check_rows_make_the_batch(Task& task) {
  constexpr int kRows = 5;
  const RandomKey key{7, 3, 1};
  const Tensor whole = task.loss(Split::kTrain, kRows, key);
  const double loss = whole.item();
  const std::vector<Scalar> wanted = gradients(task, whole);
  double sum = 0, count = 0;
  std::vector<double> got(wanted.size());
  for (const RowRange& rows : {RowRange{0, 1}, RowRange{1, 3}, RowRange{4, 1}}) {
    const MeanLoss part = task.loss_of_rows(Split::kTrain, kRows, key, rows);
    CHECK(part.predictions > 0);
    sum += part.mean.item() * part.predictions;
    count += part.predictions;
    const std::vector<Scalar> own = gradients(task, part.mean);
    for (std::size_t i = 0; i < got.size(); ++i) got[i] += part.predictions * own[i];
  }
  for (double& x : got) x /= count;
  CHECK(sum / count == doctest::Approx(loss).epsilon(1e-6));
  CHECK(largest_difference(got, std::vector<double>(wanted.begin(), wanted.end())) < 2e-6);
  CHECK(std::ranges::any_of(wanted, [](Scalar x) { return x != 0; }));
}

}  // namespace

TEST_CASE("ranks: values are added by halves") {
  const auto sum_of = [](int count) {
    return sum_by_halves(
        0, count, [](int i) { return std::string(1, static_cast<char>('a' + i)); },
        [](std::string& a, const std::string& b) { a = "(" + a + b + ")"; });
  };
  CHECK(sum_of(1) == "a");
  CHECK(sum_of(2) == "(ab)");
  CHECK(sum_of(3) == "((ab)c)");
  CHECK(sum_of(5) == "(((ab)c)(de))");
  CHECK(sum_of(12) == "((((ab)c)((de)f))(((gh)i)((jk)l)))");
}

TEST_CASE("ranks: 1, 2 and 4 with the same batches end with the same bits, with dropout") {
  TinyRun run;
  REQUIRE(run.config.dropout > 0);
  run.options.gradient_accumulation_steps = 4;
  run.options.eval_iters = 3;
  const Result one = trained(run, 1);
  CHECK(one.losses.size() == 20);
  CHECK(one.evals.size() == 8);
  check_equal(one, trained(run, 2));
  check_equal(one, trained(run, 4));
}

TEST_CASE("ranks: 12 batches end with the same bits on 1, 2, 4 and 12, with dropout") {
  TinyRun run;
  REQUIRE(run.config.dropout > 0);
  run.options.gradient_accumulation_steps = 12;
  run.options.max_iters = 5;
  const Result one = trained(run, 1);
  for (const int size : {2, 4, 12}) {
    CAPTURE(size);
    check_equal(one, trained(run, size));
  }
}

TEST_CASE("ranks: the batches of a step draw their dropout apart, and the first as ever") {
  const auto key_of = [](auto... numbers) {
    const Training training(5, 17, static_cast<std::uint32_t>(numbers)...);
    return Training::next_key().place;
  };
  CHECK(key_of() == 65536);
  CHECK(key_of(0, 0) == 65536);
  CHECK(key_of(1, 0) == 65536 + (1 << 20));
  CHECK(key_of(1, 2) == 65536 + (1 << 20) + (2 << 12));
}

TEST_CASE("ranks: rows of a batch give the losses of the batch within 1e-5") {
  TinyRun run;
  run.config.dropout = 0;
  run.options.batch_size = 6;
  run.options.gradient_accumulation_steps = 1;
  const Result one = trained(run, 1);
  for (const int size : {2, 3}) {
    CAPTURE(size);
    const Result several = trained(run, size);
    CHECK(largest_difference(one.losses, several.losses) < 1e-5);
    CHECK(largest_difference(one.evals, several.evals) < 1e-5);
    CHECK(several.parameters == several.other_parameters);
  }
}

TEST_CASE("ranks: a run that several began goes on with another number, bit for bit") {
  TinyRun run;
  run.options.gradient_accumulation_steps = 4;
  for (const double average : {0.0, 0.8}) {
    run.options.average = average;
    const TemporaryFolder folder;
    const Result whole = trained(run, 1, folder.path / "whole");
    for (const auto& [before, after] : {std::pair(2, 4), std::pair(4, 1), std::pair(1, 2)}) {
      const std::filesystem::path out = folder.path / std::to_string(before);
      CAPTURE(out);
      CHECK(trained(run, before, out, false, 9).steps == 9);
      CHECK(trained(run, after, out, true).steps == 20);
      CHECK(bytes_of(out / "last" / "model.safetensors") ==
            bytes_of(folder.path / "whole" / "last" / "model.safetensors"));
    }
  }
}

namespace {

/// The training of one rank by hand, with its own batch in each step.
struct OwnSteps {
  OwnSteps(const TinyRun& run, std::uint32_t rank)
      : run(run), rank(rank), model(run.config, run.options.seed) {
    set_requires_grad(model, true);
    optimiser = run.options.make_optimiser(parameters(model));
  }
  void step(std::uint32_t step) {
    const TrainOptions& options = run.options;
    GptTask task(model, run.corpus, run.tokenizer);
    optimiser->zero_grad();
    const Training training(options.seed, step, rank);
    backward(task.loss(Split::kTrain, options.batch_size, {options.seed, step, rank}));
    optimiser->step(static_cast<Scalar>(options.schedule.at(step)),
                    clip_scale(optimiser->gradient_norm(), options.grad_clip));
  }
  std::vector<NamedTensor> kept() {
    std::vector<NamedTensor> all = parameters(model);
    for (const NamedTensor& named : optimiser->state()) all.push_back(named);
    return all;
  }
  const TinyRun& run;
  std::uint32_t rank;
  Gpt model;
  std::unique_ptr<Optimiser> optimiser;
};

void take_mean(OwnSteps& a, OwnSteps& b) {
  const std::vector<NamedTensor> of_a = a.kept(), of_b = b.kept();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Tensor &x = of_a[i].tensor, &y = of_b[i].tensor;
    for (Index e = 0; e < x.size(); ++e) {
      x.mutable_data()[e] = y.mutable_data()[e] = (x.data()[e] + y.data()[e]) / 2;
    }
  }
}

/// Learns w x = 2 x. The loss of one rank is NaN in step 3, or takes 50 ms.
struct Line final : Task {
  enum class Trouble { kNone, kNan, kSlow };
  Tensor w = ones({1}).set_requires_grad(true);
  Trouble trouble = Trouble::kNone;
  std::vector<NamedTensor> parameters() override { return {{"w", w}}; }
  Tensor loss(Split split, int batch_size, const RandomKey& key) override {
    const bool here = split == Split::kTrain && key.place == 1;
    if (here && trouble == Trouble::kSlow) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const Tensor x = normal({batch_size}, key);
    const Tensor error = mean((w * x - 2 * x) * (w * x - 2 * x));
    return here && trouble == Trouble::kNan && key.step == 3
               ? std::numeric_limits<Scalar>::quiet_NaN() * error
               : error;
  }
  Index tokens_in(int) const override { return 1; }
  void save(const std::filesystem::path&) override {}
};

}  // namespace

TEST_CASE("ranks: a parameter that only one of them uses learns as on one rank") {
  /// The second batch of a step uses b, no batch uses c.
  struct Task final : gradus::Task {
    Tensor a = ones({2, 1}).set_requires_grad(true), b = ones({3, 1}).set_requires_grad(true),
           c = ones({5, 1}).set_requires_grad(true);
    std::vector<NamedTensor> parameters() override { return {{"a", a}, {"b", b}, {"c", c}}; }
    Tensor loss(Split, int, const RandomKey& key) override {
      return key.place == 1 ? sum(a * a) + sum(b * b) : sum(a);
    }
    Index tokens_in(int) const override { return 1; }
    void save(const std::filesystem::path&) override {}
  };
  std::vector<Scalar> of_one;
  for (const int size : {1, 2}) {
    on_ranks(size, [&](Ranks& ranks) {
      Task task;
      Trainer(task, {.max_iters = 5, .gradient_accumulation_steps = 2, .eval_iters = 1}, "", &ranks)
          .run({});
      const std::vector<Scalar> all = all_values(task.parameters());
      if (size == 1) of_one = all;
      CHECK(all == of_one);
    });
  }
  CHECK(of_one[0] < 1);
  CHECK(of_one[2] < 1);
  CHECK(of_one[5] == 1);
}

TEST_CASE("ranks: copies of the weights that part end the run, before anything is saved") {
  for (const int local_steps : {0, 2}) {
    CAPTURE(local_steps);
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(
        on_ranks(2,
                 [&](Ranks& ranks) {
                   Line task;
                   Trainer trainer(task,
                                   {.max_iters = 6,
                                    .gradient_accumulation_steps = 2,
                                    .local_steps = local_steps,
                                    .eval_interval = 4,
                                    .eval_iters = 1},
                                   ranks.is_first() ? folder.path / "out" : "", &ranks);
                   trainer.run({.on_step = [&](const StepReport& report) {
                     const bool parts = report.step == 3 && ranks.rank() == 1;
                     if (parts) task.w.mutable_data()[0] += Scalar(1e-6);
                   }});
                 }),
        doctest::Contains("rank 1 differs from rank 0 after step 4"), std::runtime_error);
    CHECK(!std::filesystem::exists(folder.path / "out" / "last"));
    CHECK(!std::filesystem::exists(folder.path / "out" / "best"));
  }
}

TEST_CASE("ranks: with local steps each trains by itself until the mean of weights and state") {
  TinyRun run;
  REQUIRE(run.config.dropout > 0);
  run.options.gradient_accumulation_steps = 2;
  run.options.local_steps = 3;
  run.options.max_iters = 8;
  run.options.eval_interval = 100;
  OwnSteps a(run, 0), b(run, 1);
  for (std::uint32_t step = 0; step < 8; ++step) {
    a.step(step);
    b.step(step);
    CHECK(all_values(parameters(a.model)) != all_values(parameters(b.model)));
    if ((step + 1) % 3 == 0 || step == 7) take_mean(a, b);
  }
  const Result result = trained(run, 2);
  CHECK(result.parameters == all_values(parameters(a.model)));
  CHECK(result.parameters == result.other_parameters);
}

TEST_CASE("ranks: with local steps by rows, all end with the same weights") {
  TinyRun run;
  run.options.batch_size = 4;
  run.options.gradient_accumulation_steps = 1;
  const Result together = trained(run, 2);
  run.options.local_steps = 3;
  const Result apart = trained(run, 2);
  CHECK(apart.parameters == apart.other_parameters);
  CHECK(apart.parameters != together.parameters);
  CHECK(apart.evals.back() < apart.evals.front());
}

TEST_CASE("ranks: local steps mean nothing for one rank") {
  TinyRun run;
  const Result plain = trained(run, 1);
  run.options.local_steps = 3;
  check_equal(plain, trained(run, 1));
}

TEST_CASE("ranks: with local steps a run stops at a mean, and goes on bit for bit") {
  TinyRun run;  // evaluates before steps 7 and 14
  run.options.gradient_accumulation_steps = 2;
  run.options.local_steps = 5;
  for (const double average : {0.0, 0.8}) {
    run.options.average = average;
    const TemporaryFolder folder;
    const Result whole = trained(run, 2, folder.path / "whole");
    const std::string end = bytes_of(folder.path / "whole" / "last" / "model.safetensors");
    const std::string state = bytes_of(folder.path / "whole" / "last" / "optimizer.safetensors");
    for (const auto& [stop, mean] : {std::pair(1, 5), std::pair(6, 7), std::pair(8, 10)}) {
      const std::filesystem::path out = folder.path / std::to_string(stop);
      CAPTURE(out);
      CHECK(trained(run, 2, out, false, stop).steps == mean);
      const Result rest = trained(run, 2, out, true);
      CHECK(rest.parameters == whole.parameters);
      CHECK(bytes_of(out / "last" / "model.safetensors") == end);
      CHECK(bytes_of(out / "last" / "optimizer.safetensors") == state);
    }
    const std::filesystem::path out = folder.path / "other";
    CHECK(trained(run, 2, out, false, 8).steps == 10);
    const Result alone = trained(run, 1, out, true);
    CHECK(alone.steps == 20);
    CHECK(alone.evals.back() < whole.evals.front());
  }
}

TEST_CASE("ranks: with local steps a loss of NaN on one of them ends all at their mean") {
  int ended = 0;
  CHECK_THROWS_WITH_AS(on_ranks(2,
                                [&](Ranks& ranks) {
                                  Line task;
                                  task.trouble = Line::Trouble::kNan;
                                  Trainer trainer(task,
                                                  {.max_iters = 20,
                                                   .gradient_accumulation_steps = 2,
                                                   .local_steps = 6,
                                                   .eval_iters = 1},
                                                  "", &ranks);
                                  std::int64_t steps = 0;
                                  try {
                                    trainer.run({.on_step = [&](const StepReport& report) {
                                      CHECK(std::isfinite(report.loss));
                                      ++steps;
                                    }});
                                  } catch (const DivergedError&) {
                                    // The rest of the failed rank has no losses.
                                    if (ranks.is_first()) ended += steps == 5 ? 1 : 0;
                                    throw;
                                  }
                                }),
                       doctest::Contains("a loss or gradient since the ranks' last mean is nan at "
                                         "step 6"),
                       DivergedError);
  CHECK(ended == 1);
}

TEST_CASE("ranks: profiles say who computes and who waits") {
  for (const int local_steps : {0, 2}) {
    CAPTURE(local_steps);
    std::vector<RankTimes> times;
    on_ranks(2, [&](Ranks& ranks) {
      Line task;
      task.trouble = Line::Trouble::kSlow;
      Trainer trainer(task,
                      {.max_iters = 6,
                       .gradient_accumulation_steps = 2,
                       .local_steps = local_steps,
                       .eval_iters = 1},
                      "", &ranks);
      Profile profile;
      trainer.run({.profile = &profile});
      CHECK(profile.rounds() == 4);
      const std::vector<RankTimes> found = times_of_ranks(ranks, profile);
      if (ranks.is_first()) times = found;
    });
    REQUIRE(times.size() == 2);
    CHECK(times[0].waiting > 40);
    CHECK(times[0].compute < 40);
    CHECK(times[1].compute > 50);
    CHECK(times[1].waiting < 40);
    CHECK(times[0].sums < 40);
    CHECK(times[1].sums < 40);
  }
}

TEST_CASE("ranks: numbers that cannot share a step are refused with the remedy") {
  TinyRun run;
  run.options.batch_size = 3;
  run.options.gradient_accumulation_steps = 3;
  CHECK_THROWS_WITH_AS(
      trained(run, 2),
      doctest::Contains(
          "the number of ranks, 2, must divide the 3 rows of a batch or the 3 batches "
          "of a step (choose --batch_size=4 or --gradient_accumulation_steps=4"),
      std::invalid_argument);
}

TEST_CASE("ranks: a loss of NaN ends all of them") {
  TinyRun run;
  run.options.schedule = {.rate = 1e30, .floor = 1e30, .warmup = 0, .decay = 20};
  run.options.grad_clip = 0;
  run.options.optimiser = OptimiserKind::kSgd;
  CHECK_THROWS_AS(trained(run, 2), DivergedError);
}

TEST_CASE("ranks: rows put together are the batch, for every task") {
  const auto words =
      std::make_shared<WordTokenizer>(WordTokenizer::learn("a b c d e f g\nh i j k l m n o p", 30));
  const LayerOptions layer{.d_model = 8, .num_heads = 2, .dropout = 0, .max_length = 12};
  const std::vector<LabelledText> texts = {
      {"a b c", 0}, {"d e", 1}, {"f", 0}, {"g h i j", 1}, {"k l m n o", 0}};
  SUBCASE("a text") {
    TinyRun run;
    run.config.dropout = 0;
    Gpt model(run.config, 1);
    set_requires_grad(model, true);
    GptTask task(model, run.corpus, run.tokenizer);
    check_rows_make_the_batch(task);
  }
  SUBCASE("masked words") {
    DataSplit<TokenRow> rows;
    for (const LabelledText& item : texts) rows.train.push_back(words->encode(item.text));
    rows.held_out = rows.train;
    BertModel bert = make_bert(words, 1, layer, 1);
    set_requires_grad(bert.model, true);
    MaskedWordTask task(std::move(bert), "words", rows);
    check_rows_make_the_batch(task);
  }
  SUBCASE("labels") {
    TextClassifier classifier = make_text_classifier(words, {"x", "y"}, 1, layer, 1);
    set_requires_grad(classifier.model, true);
    LabelTask<TextClassifier> task(std::move(classifier), "labels", {texts, texts});
    check_rows_make_the_batch(task);
  }
  SUBCASE("translation") {
    const std::vector<SentencePair> pairs = {
        {"a b", {"c", "d e"}}, {"c", {"f g h"}}, {"d e f", {"i", "j k l m", "n"}}};
    Translator translator = make_translator(words, 1, layer, 1);
    set_requires_grad(translator.model, true);
    TranslationTask task(std::move(translator), "pairs", {pairs, pairs}, 0);
    check_rows_make_the_batch(task);
  }
  SUBCASE("prompts") {
    const GptConfig sizes{.n_positions = 12, .n_layer = 1, .n_head = 2, .n_embd = 8, .dropout = 0};
    const std::vector<Prompt> prompts = {
        {"a b", " c", "x"}, {"d", " e f", "x"}, {"g h i", " j", "x"}};
    PromptModel model = make_prompt_model(words, sizes, 1);
    set_requires_grad(model.model, true);
    PromptTask task(std::move(model), "prompts", {prompts, prompts});
    check_rows_make_the_batch(task);
  }
  SUBCASE("images") {
    const LabelledImages images{normal({6, 4, 4}, {1, 0, 0}), indices({0, 1, 0, 1, 1, 0})};
    const VisionConfig sizes{
        .height = 4, .width = 4, .patch = 2, .n_labels = 2, .n_layer = 1, .layer = layer};
    VisionModel classifier{VisionTransformer(sizes, 1), {"x", "y"}};
    set_requires_grad(classifier.model, true);
    VisionTask task(std::move(classifier), "images", images, images);
    check_rows_make_the_batch(task);
  }
}

TEST_CASE("ranks: a task that cannot divide a batch is an error") {
  struct Line final : Task {
    std::vector<NamedTensor> parameters() override { return {}; }
    Tensor loss(Split, int, const RandomKey&) override { return scalar(0); }
    Index tokens_in(int) const override { return 1; }
    void save(const std::filesystem::path&) override {}
  };
  Line line;
  CHECK_THROWS_AS(line.loss_of_rows(Split::kTrain, 2, {}, {0, 1}), std::logic_error);
}
