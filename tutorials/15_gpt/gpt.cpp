// Chapter 15: a GPT from its initial values to a text of its own.
#include "pocket/gpt.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <regex>

#include "tutorials/15_gpt/figures.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace course;
using ladder::Tales;

namespace {

// [small]
/// The model of this chapter's quick run.
GptConfig small_gpt(const Tales& tales) {
  GptConfig config{.vocab_size = tales.characters.vocab_size(), .n_positions = 32};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 64, config.dropout = 0;
  return config;
}
// [small]

// [first_loss]
void first_loss(const Tales& tales) {
  const Part part("first_loss");
  const auto [inputs, targets] = random_batch(tales.train, 16, 32, {.seed = 1});
  for (const Scalar spread : {Scalar(1), Scalar(0.2), Scalar(0.02)}) {
    Gpt model(small_gpt(tales), 1);
    KeySequence keys(2);
    visit_parameters(model, [&](const std::string&, Tensor& x) {
      if (x.rank() == 2) x = normal(x.shape(), keys.next(), 0, spread);
    });
    const double loss = model.loss(inputs, targets).item();
    std::printf("standard deviation %.2f  first loss %7.3f\n", double{spread}, loss);
  }
  std::printf("ln V                     %18.3f\n", std::log(tales.characters.vocab_size()));
}
// [first_loss]

// [growth]
/// Prints the size of the sum that all blocks of a new model add to the stream.
void growth(const Tales& tales) {
  const Part part("growth");
  const NoGrad no_grad;
  const IndexTensor tokens = random_batch(tales.train, 4, 32, {.seed = 1}).inputs;
  const auto added = [&](const Gpt& model) {
    const Tensor start = model.wpe.embed(model.wte(tokens));
    Tensor x = start;
    for (const Block& block : model.h) x = block(x, {.causal = true});
    return std::sqrt(double{mean((x - start) * (x - start)).item()});
  };
  std::printf("blocks  0.02 everywhere  divided by sqrt(2 L)\n");
  for (const int layers : {2, 8, 32}) {
    GptConfig config = small_gpt(tales);
    config.n_layer = layers;
    Gpt model(config, 1);
    const double divided = added(model);
    visit_parameters(model, [&](const std::string& name, Tensor& x) {
      const bool ends = name.ends_with("output.weight") || name.ends_with("c_proj.weight");
      if (ends) x = x * std::sqrt(Scalar(2 * layers));
    });
    std::printf("%4d    %10.3f       %12.3f\n", layers, added(model), divided);
  }
}

// [growth]

// [tied]
/// Counts the rows that are not all 0.
int rows_used(const Tensor& x) {
  int used = 0;
  for (const Scalar squares : sum(x * x, 1)) used += squares > 0;
  return used;
}

void tied(const Tales& tales) {
  const Part part("tied");
  Gpt model(small_gpt(tales), 1);
  Tensor table = model.wte.weight;                     // [V, C], for reading
  Tensor output = table.detach().set_requires_grad();  // the same numbers, for writing
  const auto [inputs, targets] = batch_at(tales.train, {0, 100, 200}, 8);
  const Tensor logits = matmul(model.features(inputs), output, {.b = true});
  backward(cross_entropy(logits, targets));
  const Tensor reading = table.grad(), writing = output.grad();
  table.zero_grad();
  backward(model.loss(inputs, targets));  // one table again
  must_equal("the sum of both, and the tied table's gradient", reading + writing, table.grad());
  std::printf("%d tokens get a gradient by reading and %d by writing\n", rows_used(reading),
              rows_used(writing));
}
// [tied]

// [parameters]
void parameter_table(const Tales& tales) {
  const Part part("parameters");
  Gpt model(small_gpt(tales), 1);
  const Index vocab = tales.characters.vocab_size();
  print_sizes({vocab, 32, 64, 2}, {50257, 1024, 768, 12});  // V, T, C, L: ours, and GPT-2's
  std::printf("in the model %9lld\n", static_cast<long long>(count(parameters(model))));
}
// [parameters]

// [write]
/// Continues a text by `count` tokens, drawn from the model's probabilities. A temperature below 1
/// makes probable tokens more probable.
std::string write(const auto& model, const auto& tokenizer, const std::string& start, Index count,
                  Scalar temperature = 1) {
  const NoGrad no_grad;
  Tokens text = tokenizer.encode(start);
  const Tensor draws = uniform({count}, {.seed = 1});
  for (Index i = 0; i < count; ++i) {
    const Index seen = std::min(std::ssize(text), model.config.n_positions);
    const IndexTensor last({1, seen}, Tokens(text.end() - seen, text.end()));
    const Tensor p = softmax(slice(model(last), 1, -1) / temperature);  // [1, 1, V]
    Scalar rest = draws.data()[i];
    std::int32_t token = 0;
    while (token + 1 < p.size() && rest >= p.data()[token]) rest -= p.data()[token++];
    text.push_back(token);
  }
  return tokenizer.decode(text);
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '/');
  return text;
}
// [write]

// [by_heart]
void by_heart(const Tales& tales) {
  const Part part("by_heart");
  Gpt model(small_gpt(tales), 1);
  const Batch batch = random_batch(tales.train, 4, 32, {.seed = 6});
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  const Schedule constant{.rate = 3e-3, .floor = 3e-3, .warmup = 0};
  const auto losses = train(optimiser, {.steps = 121, .schedule = constant},
                            [&](int) { return model.loss(batch.inputs, batch.targets); });
  for (const int step : {0, 30, 60, 120}) {
    std::printf("step %3d  loss %.3f\n", step, double{losses[static_cast<std::size_t>(step)]});
  }
  const std::string row =
      tales.characters.decode({batch.inputs.begin(), batch.inputs.begin() + 32});
  std::printf("row 0     %s\n", on_one_line(row).c_str());
  std::printf("it writes %s\n",
              on_one_line(write(model, tales.characters, row.substr(0, 10), 22)).c_str());
}
// [by_heart]

// [train]
/// Trains on random rows, new ones in each step. Returns the losses.
std::vector<Scalar> train_on(const Tokens& text, auto& model, int steps,
                             const std::function<void(int)>& before_step = {},
                             std::uint64_t seed = 1, Index rows = 16) {
  AdamW optimiser(parameters(model), {});
  const TrainOptions options{
      .steps = steps,
      .schedule = {.rate = 5e-3, .floor = 5e-4, .warmup = 20, .decay = steps},
      .before_step = before_step};
  return train(optimiser, options, [&](int step) {
    const RandomKey key{seed, static_cast<std::uint32_t>(step)};
    const auto [inputs, targets] = random_batch(text, rows, model.config.n_positions, key);
    return cross_entropy(model(inputs), targets);
  });
}
// [train]

// [landmarks]
/// 200 rows, for a quick look.
Tokens some_held_out(const Tales& tales) {
  return {tales.held_out.begin(), tales.held_out.begin() + 200 * 32 + 1};
}

/// The losses of tables of counts: of single characters, and of pairs (chapter 07).
Landmarks landmarks(const Tales& tales) {
  const Part part("landmarks");
  const Tokens& text = tales.train;
  const Index vocab = tales.characters.vocab_size();
  Tensor singles = ones({1, vocab}), pairs = ones({vocab, vocab});  // none is 0
  for (std::size_t i = 1; i < text.size(); ++i) {
    singles.mutable_data()[text[i]] += 1, pairs.mutable_data()[text[i - 1] * vocab + text[i]] += 1;
  }
  const auto loss_of = [&](const Tensor& counts) {
    const Tensor p = counts / sum(counts, -1, {.keepdim = true}) + zeros({vocab, vocab});
    return mean_loss(some_held_out(tales), 32,
                     [&](const IndexTensor& tokens) { return embedding(tokens, log(p)); });
  };
  const Landmarks found{std::log(vocab), loss_of(singles), loss_of(pairs)};
  std::printf("all alike, ln V %.2f   characters %.2f   pairs %.2f\n", found.ln_v, found.singles,
              found.pairs);
  return found;
}
// [landmarks]

// [learn]
void learn(const Tales& tales, Gpt& model, int steps, std::vector<Scalar>& losses) {
  const Part part("learn");
  const auto look = [&](int step) {
    if (step != 0 && step != 30 && step != 100 && step != steps) return;
    const double loss = mean_loss(some_held_out(tales), 32, model);
    std::printf("%4d  %.2f  %s\n", step, loss,
                on_one_line(write(model, tales.characters, "The ", 52)).c_str());
  };
  std::printf("step  held-out loss, and what it writes\n");
  losses = train_on(tales.train, model, steps, look);
  look(steps);
}
// [learn]

// [unmasked]
/// A GPT that forgets its causal mask.
struct Unmasked : Gpt {
  using Gpt::Gpt;
  Tensor operator()(const IndexTensor& tokens) const {
    Tensor x = wpe.embed(wte(tokens));
    for (const Block& block : h) x = block(x);
    return logits(ln_f(x));
  }
};
// [unmasked]

// [dependence]
/// How strongly the logits of position 3 depend on the input of each position.
Tensor dependence(const Gpt& model, const Tokens& text, bool causal) {
  const IndexTensor tokens({1, std::ssize(text)}, text);
  const Tensor read = model.wpe.embed(model.wte(tokens)).detach().set_requires_grad();
  Tensor x = read;
  for (const Block& block : model.h) x = block(x, {.causal = causal});
  const Tensor logits = slice(model.logits(model.ln_f(x)), 1, 3, 4);
  backward(sum(logits * normal(logits.shape(), {.seed = 7})));  // fixed random weights
  return sqrt(sum(read.grad() * read.grad(), -1));
}
// [dependence]

// [leak]
void leak(const Tales& tales, const Gpt& sound, const std::vector<Scalar>& sound_losses,
          const Landmarks& known) {
  const Part part("leak");
  Unmasked model(small_gpt(tales), 1);
  const int steps = static_cast<int>(sound_losses.size());
  const std::vector<Scalar> losses = train_on(tales.train, model, steps);
  std::printf("held-out loss %.2f\n", mean_loss(some_held_out(tales), 32, model));
  std::printf("it writes     %s\n",
              on_one_line(write(model, tales.characters, "The ", 52)).c_str());
  const Tokens text = tales.characters.encode("The fox");
  std::printf("position 3 depends on  T     h     e     _     f     o     x\n");
  for (const bool causal : {true, false}) {
    std::printf(causal ? "with the mask    " : "without          ");
    for (const Scalar length : dependence(causal ? sound : model, text, causal)) {
      std::printf(" %5.1f", double{length});
    }
    std::printf("\n");
  }
  draw_leak({sound_losses.begin(), sound_losses.end()}, {losses.begin(), losses.end()}, known);
}
// [leak]

// [moved]
/// Moves each weight to the next larger number that a float can hold.
void move_weights(Gpt& model) {
  visit_parameters(model, [](const std::string&, Tensor& x) {
    Scalar* weights = x.mutable_data();
    for (Index i = 0; i < x.size(); ++i) weights[i] = std::nextafter(weights[i], Scalar(9));
  });
}
// [moved]

// [words]
/// Cuts a text into words, each with the space before it, and single signs.
std::vector<std::string> cut(const std::string& text) {
  const std::regex word(" ?[A-Za-z]+|[^A-Za-z]");
  return {std::sregex_token_iterator(text.begin(), text.end(), word), std::sregex_token_iterator()};
}

/// The tokens are the different words and signs of a text, numbered in the order of the text.
struct WordTokenizer {
  explicit WordTokenizer(const std::string& text) {
    for (const std::string& word : cut(text)) {
      if (tokens.try_emplace(word, static_cast<std::int32_t>(words.size())).second) {
        words.push_back(word);
      }
    }
  }
  Tokens encode(const std::string& text) const {
    Tokens all;
    for (const std::string& word : cut(text)) all.push_back(tokens.at(word));
    return all;
  }
  std::string decode(const Tokens& all) const {
    std::string text;
    for (const std::int32_t token : all) text += words.at(static_cast<std::size_t>(token));
    return text;
  }
  std::vector<std::string> words;
  std::map<std::string, std::int32_t> tokens;
};
// [words]

// [long]
/// A wider model, which reads words in place of characters.
void long_run(const Tales& tales, bool moved) {
  const WordTokenizer words(tales.text);
  const Tokens all = words.encode(tales.text);
  const auto end = all.begin() + std::ssize(all) * 29 / 30;
  const Tokens text(all.begin(), end), held_out(end, all.end());
  const double length = double(words.decode(held_out).size()) / double(held_out.size());
  GptConfig config{.vocab_size = std::ssize(words.words), .n_positions = 48};
  config.n_layer = 2, config.n_head = 4, config.n_embd = 128, config.dropout = 0;
  Gpt model(config, 1);
  if (moved) move_weights(model);
  std::printf("%lld words and signs, %lld parameters\n", static_cast<long long>(config.vocab_size),
              static_cast<long long>(count(parameters(model))));
  const auto look = [&](int step) {
    if (step % 500 != 0) return;
    const double loss = mean_loss(held_out, config.n_positions, model);
    std::printf("step %4d  held-out loss %.3f a word, %.3f a character  after %3.0f s\n", step,
                loss, loss / length, seconds_of_cpu());
  };
  const int steps = 2500;
  const std::vector<Scalar> losses = train_on(text, model, steps, look, 1, 8);
  look(steps);
  std::printf("losses of steps 0, 10, 20, 30, 40:");
  for (std::size_t step = 0; step < 50; step += 10) std::printf(" %.4f", double{losses[step]});
  std::printf("\n\n%s\n", wrapped(write(model, words, "The", 180, Scalar(0.7))).c_str());
}
// [long]

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Tales tales;
  const std::string what = argc > 2 ? argv[2] : "";
  if (what == "--long") {
    const Part part("long");
    long_run(tales, argc > 3 && std::strcmp(argv[3], "moved") == 0);
    return 0;
  }
  first_loss(tales);
  growth(tales);
  tied(tales);
  by_heart(tales);
  Gpt model(small_gpt(tales), 1);
  std::vector<Scalar> losses;
  const Landmarks known = landmarks(tales);
  learn(tales, model, 300, losses);
  leak(tales, model, losses, known);
  parameter_table(tales);
}
// [main]
