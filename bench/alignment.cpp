/// @file
/// Compares the six alignment scores and the plain encoder-decoder of chapter 08, with gradus's
/// ops, on one task: to write a sequence of symbols backwards. Each model trains on the same
/// batches for the same number of steps, and then writes held-out sequences, with the most probable
/// symbol at each step.

// Included first: it replaces the engine.h that the models below include.
#include "tests/pocket/on_gradus/engine.h"
// Includes of the benchmark itself.
#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

#include "autograd/kernels/parallel_for.h"
#include "cli/program/prepare_process.h"
#include "tutorials/pocket/recurrent.h"

namespace pocket {
namespace {

struct Options {
  Index symbols = 16, length = 10, hidden = 64, batch = 64, held_out = 1000;
  int steps = 1500;
  double rate = 1e-2;
  std::uint64_t seed = 1;
  int threads = 1;  // a second thread gains little on products this small
};

constexpr std::array kScores = {"cosine", "additive", "location", "general", "dot", "scaled_dot"};

constexpr const char* kNotes = R"(
All scores except "location" compare the decoder's state with the source. "location" does not use
the source: its weights depend only on the decoder's state. At the length of training that is
enough, because step t always needs the same place, and a state can count steps. At another length
the places differ, but its weights still point to the old ones.
"none" has no weights at all: one vector of fixed size carries the whole sequence.
)";

/// B sequences of symbols, and the same sequences backwards.
struct Batch {
  IndexTensor source, inputs, targets;  // [B, T]; inputs begin with an extra symbol

  Batch(Index count, const Options& options, const RandomKey& key)
      : source({count, options.length}), inputs(source.shape()), targets(source.shape()) {
    const Index length = options.length;
    for (Index i = 0; i < source.size(); ++i) {
      source.mutable_data()[i] = static_cast<std::int32_t>(uniform_index(key, i, options.symbols));
    }
    for (Index i = 0; i < source.size(); ++i) {
      const Index first = i / length * length, t = i % length;
      targets.mutable_data()[i] = source.data()[first + length - 1 - t];
      inputs.mutable_data()[i] =
          t == 0 ? static_cast<std::int32_t>(options.symbols) : targets.data()[i - 1];
    }
  }
};

/// Returns the sequences that the model writes for the sources, all rows at once: [B, T], as long
/// as the source.
IndexTensor written(const RecurrentSeq2Seq& model, const IndexTensor& source, std::int32_t begin) {
  const NoGrad no_grad;
  const Index rows = source.size(0), length = source.size(1);
  IndexTensor inputs(source.shape()), tokens;
  std::fill_n(inputs.mutable_data(), inputs.size(), begin);
  for (Index t = 0; t < length; ++t) {  // step t reads no input after t
    tokens = argmax(model(source, inputs).logits, -1);
    for (Index row = 0; row < rows && t + 1 < length; ++row) {
      inputs.mutable_data()[row * length + t + 1] = tokens.data()[row * length + t];
    }
  }
  return tokens;
}

struct Accuracy {
  double tokens, sequences;
};

/// The accuracy of the model on held-out sequences of this length, in per cent.
Accuracy accuracy_of(const RecurrentSeq2Seq& model, Options options, Index length) {
  constexpr std::uint32_t kHeldOut = 0xfffffffe;  // no training step has this number
  options.length = length;
  const Batch batch(options.held_out, options, {.seed = options.seed, .step = kHeldOut});
  const IndexTensor got = written(model, batch.source, static_cast<std::int32_t>(options.symbols));
  Index tokens = 0, sequences = 0;
  for (Index row = 0; row < options.held_out; ++row) {
    Index right = 0;
    for (Index i = row * length; i < (row + 1) * length; ++i) {
      right += got.data()[i] == batch.targets.data()[i];
    }
    tokens += right;
    sequences += right == length;
  }
  return {100.0 * static_cast<double>(tokens) / static_cast<double>(got.size()),
          100.0 * static_cast<double>(sequences) / static_cast<double>(options.held_out)};
}

/// Trains a model with this score and prints its line.
void run(std::optional<AlignmentKind> kind, const Options& options) {
  KeySequence keys(options.seed);
  RecurrentSeq2Seq model({.source_vocab = options.symbols,
                          .target_vocab = options.symbols + 1,
                          .channels = options.hidden,
                          .hidden = options.hidden,
                          .alignment = kind,
                          .longest = options.length},
                         keys);
  AdamW adam(parameters(model), {.weight_decay = 0});
  const Schedule schedule{
      .rate = options.rate, .floor = 0, .warmup = options.steps / 10, .decay = options.steps};
  const auto start = std::chrono::steady_clock::now();
  train(adam, {.steps = options.steps, .schedule = schedule, .seed = options.seed}, [&](int step) {
    const Batch batch(options.batch, options,
                      {.seed = options.seed, .step = static_cast<std::uint32_t>(step)});
    return cross_entropy(model(batch.source, batch.inputs).logits, batch.targets);
  });
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const Accuracy accuracy = accuracy_of(model, options, options.length);
  const Accuracy shorter = accuracy_of(model, options, options.length - 2);
  std::printf("%-10s  %9.2f  %12.2f  %13.2f  %9.2f  %6d\n",
              kind ? kScores[static_cast<std::size_t>(*kind)] : "none", accuracy.tokens,
              accuracy.sequences, shorter.tokens, time.count() / options.steps, options.steps);
  std::fflush(stdout);
}

void run_all(const Options& options) {
  const auto length = static_cast<long long>(options.length);
  std::printf(
      "%lld of %lld symbols, from the end; hidden %lld, batch %lld, threads %d, seed %llu\n\n",
      length, static_cast<long long>(options.symbols), static_cast<long long>(options.hidden),
      static_cast<long long>(options.batch), options.threads,
      static_cast<unsigned long long>(options.seed));
  std::printf("%-10s  %9s  %12s  %13s  %9s  %6s\n", "score", "tokens, %", "sequences, %",
              ("tokens at " + std::to_string(length - 2)).c_str(), "ms a step", "steps");
  for (std::size_t i = 0; i < kScores.size(); ++i) {
    run(static_cast<AlignmentKind>(i), options);
  }
  run(std::nullopt, options);
  std::printf("%s", kNotes);
}

}  // namespace
}  // namespace pocket

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  pocket::Options options;
  CLI::App app("Trains every alignment score, and none, to write sequences from their end.");
  app.option_defaults()->always_capture_default();
  app.add_option("--length", options.length, "length of a sequence")->check(CLI::Range(3, 1000));
  app.add_option("--symbols", options.symbols, "different ones")->check(CLI::PositiveNumber);
  app.add_option("--hidden", options.hidden, "width of states and embeddings")
      ->check(CLI::PositiveNumber);
  app.add_option("--batch", options.batch, "sequences to a step")->check(CLI::PositiveNumber);
  app.add_option("--steps", options.steps, "training steps of each score")
      ->check(CLI::PositiveNumber);
  app.add_option("--rate", options.rate, "Adam's highest")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "random seed");
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
    gradus::set_num_threads(options.threads);
    pocket::run_all(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // 0 after --help
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
