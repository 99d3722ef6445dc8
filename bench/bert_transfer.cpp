/// @file
/// Measures the gain of pre-training: a small Bert, pre-trained on the masked words of sentences
/// without labels, and the same Bert without pre-training, are both trained for sentiment on a few
/// labelled examples.
///
/// The task is sentiment because it needs more than single words: a bag of words is little better
/// than a coin, since the positions of words matter, and 100 examples contain most words only a few
/// times. (Single words show a topic, so a bag of words needs no more examples.)

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/kernels/parallel_for.h"
#include "cli/program/prepare_process.h"
#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/examples/sentences.h"
#include "nn/files/bert_files.h"
#include "nn/tasks/bert_label_task.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/trainer.h"

namespace gradus {
namespace {

struct Options {
  std::size_t examples = 100;
  int seeds = 5;
  int layers = 2, heads = 4;
  Index channels = 48;
  std::int64_t read_steps = 4000, label_steps = 150;
  double read_rate = 3e-3, label_rate = 2e-3;
  double dropout = 0;
  int threads = 1;  // a second one gains little on products this small
};

constexpr std::size_t kSentences = 5000;
constexpr double kHeldOut = 0.2;
constexpr std::uint64_t kDataSeed = 1;
constexpr Index kLongest = 32;

/// Sentences for pre-training without labels, and some labelled ones.
struct Data {
  DataSplit<LabelledText> sentiment;
  std::vector<std::string> labels;
  std::shared_ptr<const Tokenizer> tokenizer;
  DataSplit<TokenRow> unlabelled;

  Data() {
    const LabelledSet set = sentiment_sentences(kSentences, kDataSeed);
    labels = set.labels;
    sentiment = divide(set.items, &LabelledText::text, kHeldOut, kDataSeed);
    std::string lines;
    for (const LabelledText& item : sentiment.train) {
      lines += item.text + "\n";
    }
    tokenizer = std::make_shared<WordTokenizer>(WordTokenizer::learn(lines, 1000));
    unlabelled = {rows_of(sentiment.train), rows_of(sentiment.held_out)};
  }

  std::vector<TokenRow> rows_of(const std::vector<LabelledText>& items) const {
    std::vector<TokenRow> rows;
    for (const LabelledText& item : items) {
      rows.push_back(tokenizer->encode(item.text));
    }
    return rows;
  }

  /// Returns `count` labelled sentences, different ones for each seed, and all held-out sentences.
  DataSplit<LabelledText> some(std::size_t count, std::uint64_t seed) const {
    DataSplit<LabelledText> part{{}, sentiment.held_out};
    const auto order = permutation(std::ssize(sentiment.train), {.seed = seed});
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
      part.train.push_back(sentiment.train[static_cast<std::size_t>(order[i])]);
    }
    return part;
  }
};

BertModel new_bert(const Data& data, const Options& options, std::uint64_t seed) {
  const LayerOptions layer{.d_model = options.channels,
                           .num_heads = options.heads,
                           .dropout = static_cast<Scalar>(options.dropout),
                           .activation = Activation::kGeluErf,
                           .norm_place = NormPlace::kPost,
                           .epsilon = Scalar(1e-12),
                           .position = Position::kLearned,
                           .max_length = kLongest};
  return make_bert(data.tokenizer, options.layers, layer, seed);
}

/// Trains without checkpoints and returns the task's scores at the end.
std::vector<Score> train(Task& task, std::int64_t steps, int batch, double rate,
                         std::uint64_t seed) {
  TrainOptions recipe;
  recipe.max_iters = steps;
  recipe.batch_size = batch;
  recipe.schedule = {.rate = rate, .floor = rate / 10, .warmup = steps / 10, .decay = steps};
  recipe.adamw = {.beta1 = 0.9, .beta2 = 0.98, .weight_decay = 0.01};
  recipe.eval_interval = steps;
  recipe.eval_iters = 1;
  recipe.seed = seed;
  std::vector<Score> scores;
  TrainCallbacks callbacks;
  callbacks.on_eval = [&](const EvalReport& report) { scores = report.scores; };
  Trainer(task, recipe, "").run(callbacks);
  return scores;
}

void show(const char* name, const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) {
    mean += value / static_cast<double>(values.size());
  }
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const double spread =
      values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
  std::printf("%-14s  %6.1f  %6.1f ", name, 100 * mean, 100 * spread);
  for (const double value : values) {
    std::printf("  %5.1f", 100 * value);
  }
  std::printf("\n");
}

void run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Data data;
  MaskedWordTask reading(new_bert(data, options, 1), "sentences", data.unlabelled);
  std::printf("reading    %s\n", reading.describe().c_str());
  const std::vector<Score> read = train(reading, options.read_steps, 32, options.read_rate, 1);
  std::printf("           after %lld steps, %.0f s:", static_cast<long long>(options.read_steps),
              seconds());
  for (const Score& score : read) {
    std::printf(" %s %.1f%%", score.name.c_str(), 100 * score.value);
  }
  std::printf("\n\n");
  std::fflush(stdout);
  // The pre-trained parameters, with which a model of each seed begins.
  const std::vector<NamedTensor> learned = reading.parameters();
  std::vector<double> from_reading, from_nothing, by_words;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    for (const bool has_read : {true, false}) {
      BertModel bert = new_bert(data, options, number);
      if (has_read) {
        std::vector<NamedTensor> own = parameters(bert.model);
        for (std::size_t i = 0; i < own.size(); ++i) {
          std::ranges::copy(learned[i].tensor, own[i].tensor.mutable_data());
        }
      }
      BertLabelTask task(std::move(bert), "sentiment", data.labels,
                         data.some(options.examples, number), number);
      const std::vector<Score> scores =
          train(task, options.label_steps, 25, options.label_rate, number);
      (has_read ? from_reading : from_nothing).push_back(scores[0].value);
      if (has_read) {
        by_words.push_back(scores[1].value);
      }
    }
  }
  std::printf("%zu labelled sentences, accuracy on %zu held-out ones in %%\n\n", options.examples,
              data.sentiment.held_out.size());
  std::printf("%-14s  %6s  %6s   each of %d seeds\n", "", "mean", "spread", options.seeds);
  show("having read", from_reading);
  show("from nothing", from_nothing);
  show("bag of words", by_words);
  std::printf("\n%.0f s in all\n", seconds());
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::Options options;
  CLI::App app(
      "Trains a small Bert on a few examples of sentiment, with and without pre-training.");
  app.option_defaults()->always_capture_default();
  app.add_option("--examples", options.examples, "number of labelled examples")
      ->check(CLI::PositiveNumber);
  app.add_option("--seeds", options.seeds, "number of seeds")->check(CLI::PositiveNumber);
  app.add_option("--layers", options.layers)->check(CLI::PositiveNumber);
  app.add_option("--heads", options.heads)->check(CLI::PositiveNumber);
  app.add_option("--channels", options.channels)->check(CLI::PositiveNumber);
  app.add_option("--read_steps", options.read_steps, "steps of pre-training on masked words")
      ->check(CLI::PositiveNumber);
  app.add_option("--read_rate", options.read_rate)->check(CLI::PositiveNumber);
  app.add_option("--label_steps", options.label_steps, "steps of training on labels")
      ->check(CLI::PositiveNumber);
  app.add_option("--label_rate", options.label_rate)->check(CLI::PositiveNumber);
  app.add_option("--dropout", options.dropout)->check(CLI::Range(0.0, 0.9));
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
    gradus::set_num_threads(options.threads);
    gradus::run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // 0 after --help
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
