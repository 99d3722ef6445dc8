// Chapter 15: a GPT out of the parts of earlier chapters, trained until it writes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "autograd/graph.h"
#include "autograd/more/functions.h"
#include "autograd/more/random.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/data/batches.h"
#include "nn/data/corpus.h"
#include "nn/layers/layers.h"
#include "nn/layers/norm.h"
#include "nn/models/gpt.h"
#include "nn/optim/adamw.h"
#include "nn/optim/schedule.h"
#include "nn/text/char_tokenizer.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace gradus;

namespace {

/// Prints a shape as it is at this point of the program.
void trace(const char* what, const Shape& shape) {
  std::printf("%-40s %s\n", what, words(shape).c_str());
}

/// [B, T, H D] to [B, H, T, D], and back: chapter 10.
Tensor split_heads(const Tensor& x, Index heads) {
  return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
}
Tensor join_heads(const Tensor& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

// [block]
// Chapter 14's block, pre-norm, whose attention looks back only: x [B, T, C].
struct OurBlock {
  LayerNorm norm_1;
  Linear to_qkv;  // [C, 3 C]: queries, keys and values in one product
  Linear output;  // [C, C]
  LayerNorm norm_2;
  Linear widen;   // [C, 4 C]
  Linear narrow;  // [4 C, C]
  Index heads = 1;
  bool causal = true;

  Tensor attention(const Tensor& x) const {
    const std::vector<Tensor> qkv = split(to_qkv(x), 3, -1);  // three of [B, T, C]
    const Tensor q = split_heads(qkv[0], heads), k = split_heads(qkv[1], heads),
                 v = split_heads(qkv[2], heads);  // [B, H, T, D]
    const Tensor mixed = scaled_dot_product_attention(q, k, v, {.causal = causal});
    return output(join_heads(mixed));
  }
  Tensor operator()(const Tensor& x) const {
    const Tensor y = x + attention(norm_1(x));
    return y + narrow(gelu(widen(norm_2(y))));
  }
  // [block]
  void fields(auto&& f) {
    f("norm_1", norm_1);
    f("to_qkv", to_qkv);
    f("output", output);
    f("norm_2", norm_2);
    f("widen", widen);
    f("narrow", narrow);
  }
};

// [gpt]
struct OurGpt {
  Embedding tokens;  // [V, C]
  Embedding places;  // [T at most, C]
  std::vector<OurBlock> blocks;
  LayerNorm last_norm;

  Tensor embed(const IndexTensor& x) const {  // [B, T] to [B, T, C]
    IndexTensor numbers({x.size(1)});         // 0, 1, ..., T - 1
    for (Index t = 0; t < x.size(1); ++t) {
      numbers.mutable_data()[t] = static_cast<std::int32_t>(t);
    }
    return tokens(x) + places(numbers);  // [B, T, C] + [T, C]
  }
  Tensor read(Tensor stream) const {  // [B, T, C] to logits [B, T, V]
    for (const OurBlock& block : blocks) stream = block(stream);
    return matmul(last_norm(stream), tokens.weight, {.b = true});
  }
  Tensor operator()(const IndexTensor& x) const { return read(embed(x)); }
  // [gpt]
  Index longest() const { return places.weight.size(0); }
  void fields(auto&& f) {
    f("tokens", tokens);
    f("places", places);
    f("blocks", blocks);
    f("last_norm", last_norm);
  }
};

/// Our model with the library's initial values: the parameters of both stand in one order.
OurGpt copy_of(Gpt& library, bool causal = true) {
  const GptConfig& c = library.config;
  KeySequence keys(0);
  OurGpt ours;
  ours.tokens = Embedding(c.vocab_size, c.n_embd, keys);
  ours.places = Embedding(c.n_positions, c.n_embd, keys);
  for (int layer = 0; layer < c.n_layer; ++layer) {
    ours.blocks.push_back({LayerNorm(c.n_embd), Linear(c.n_embd, 3 * c.n_embd, keys),
                           Linear(c.n_embd, c.n_embd, keys), LayerNorm(c.n_embd),
                           Linear(c.n_embd, 4 * c.n_embd, keys),
                           Linear(4 * c.n_embd, c.n_embd, keys), c.n_head, causal});
  }
  ours.last_norm = LayerNorm(c.n_embd);
  const std::vector<NamedTensor> from = parameters(library), to = parameters(ours);
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::ranges::copy(from.at(i).tensor, to[i].tensor.mutable_data());
  }
  return ours;
}

/// The book as chapter 07 reads it.
struct Book {
  CharTokenizer tokenizer = CharTokenizer::learn(bundled_fables());
  Text text;
  std::unique_ptr<Corpus> corpus;
  Book() {
    text.append("the fables", bundled_fables());
    corpus = std::make_unique<Corpus>(text, tokenizer);
  }
};

/// The sizes of the small model that is trained here.
GptConfig small_config(const Book& book) {
  return {.vocab_size = book.tokenizer.vocab_size(),
          .n_positions = 32,
          .n_layer = 2,
          .n_head = 4,
          .n_embd = 64,
          .dropout = 0,
          .bias = true};
}

// [shifted]
// Rows of tokens [B, T], and at each place what comes next, [B, T].
struct Example {
  IndexTensor inputs, targets;
};

Example draw(std::span<const std::int32_t> text, Index batch, Index time, RandomKey key) {
  Example example{IndexTensor({batch, time}), IndexTensor({batch, time})};
  for (Index b = 0; b < batch; ++b) {
    const Index begin = uniform_index(key, b, std::ssize(text) - time);
    for (Index t = 0; t < time; ++t) {
      const auto at = static_cast<std::size_t>(begin + t);
      example.inputs.mutable_data()[b * time + t] = text[at];
      example.targets.mutable_data()[b * time + t] = text[at + 1];
    }
  }
  return example;
}
// [shifted]

// [write]
// Goes on from `start`, a character at a time.
std::string write(const OurGpt& model, const Tokenizer& tokenizer, const std::string& start,
                  Index length, RandomKey key) {
  const NoGrad no_grad;
  std::vector<std::int32_t> text = tokenizer.encode(start);
  for (Index i = 0; i < length; ++i) {
    const auto seen = std::min(text.size(), static_cast<std::size_t>(model.longest()));
    const Index time = static_cast<Index>(seen);
    const Tensor logits = model(IndexTensor({1, time}, std::span(text).last(seen)));
    const Tensor p = softmax(slice(logits, 1, time - 1) / Scalar(0.7));  // [1, 1, V]
    // A random number in [0, 1): walk along the shares p until it is used up.
    Scalar left = uniform_at(key, static_cast<std::uint64_t>(i));
    std::int32_t next = 0;
    while (next + 1 < p.size(2) && left >= p.data()[next]) left -= p.data()[next++];
    text.push_back(next);
  }
  return tokenizer.decode(text);
}
// [write]

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', '/');
  return text;
}

/// The mean loss over 16 batches of the text that was kept back.
double held_out_loss(const OurGpt& model, const Corpus& corpus) {
  const NoGrad no_grad;
  double total = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const Example e = draw(corpus.tokens(Split::kVal), 32, model.longest(), {7, i});
    total += cross_entropy(model(e.inputs), e.targets).item();
  }
  return total / 16;
}

}  // namespace

// Every shape from tokens to loss.
void shapes(const Book& book) {
  const Part part("shapes");
  Gpt library(small_config(book), 1);
  OurGpt model = copy_of(library);
  const Example e = draw(book.corpus->tokens(Split::kTrain), 3, 8, {.seed = 1});
  trace("tokens", e.inputs.shape());
  const Tensor stream = model.embed(e.inputs);
  trace("embed: vectors of tokens and places", stream.shape());
  const OurBlock& block = model.blocks[0];
  trace("block: queries, keys and values at once", block.to_qkv(stream).shape());
  trace("block: queries, cut into heads",
        split_heads(split(block.to_qkv(stream), 3, -1)[0], 4).shape());
  trace("block: inside the network", block.widen(stream).shape());
  trace("after a block, and after each", block(stream).shape());
  const Tensor logits = model(e.inputs);
  trace("logits", logits.shape());
  trace("targets", e.targets.shape());
  trace("loss", cross_entropy(logits, e.targets).shape());
  must_equal("logits of ours and of the library's Gpt", logits, library(e.inputs));
}

// The table is used twice, and hears twice.
void tied(const Book& book) {
  const Part part("tied");
  Gpt library(small_config(book), 2);
  OurGpt model = copy_of(library);
  const Example e = draw(book.corpus->tokens(Split::kTrain), 3, 8, {.seed = 2});
  // [tied]
  const Tensor table = model.tokens.weight;             // [V, C]
  Tensor reading = table.clone().set_requires_grad();   // as it is looked up in
  Tensor speaking = table.clone().set_requires_grad();  // as it makes logits
  OurGpt apart = model;
  apart.tokens.weight = reading;
  Tensor stream = apart.embed(e.inputs);
  for (const OurBlock& block : apart.blocks) stream = block(stream);
  const Tensor logits = matmul(apart.last_norm(stream), speaking, {.b = true});
  backward(cross_entropy(logits, e.targets));
  // [tied]
  Tensor whole = library.wte.weight;
  backward(library.loss(e.inputs, e.targets));
  must_equal("the two gradients together, and the library's", reading.grad() + speaking.grad(),
             whole.grad());
  const auto rows = [](const Tensor& gradient) {
    int used = 0;
    for (const Scalar s : sum(abs(gradient), {1})) used += s > 0;
    return used;
  };
  std::printf("rows of %d with a gradient: by reading %d, by speaking %d\n",
              static_cast<int>(table.size(0)), rows(reading.grad()), rows(speaking.grad()));
}

// Where the parameters are.
void parameter_table(const Book& book) {
  const Part part("parameters");
  const GptConfig small = small_config(book);
  const GptConfig gpt2{.vocab_size = 50257,
                       .n_positions = 1024,
                       .n_layer = 12,
                       .n_head = 12,
                       .n_embd = 768,
                       .bias = true};
  // [count]
  const auto parts = [](const GptConfig& g) {
    const Index c = g.n_embd, l = g.n_layer;
    return std::array<Index, 5>{
        g.vocab_size * c,         // tokens; the output layer is the same table
        g.n_positions * c,        // places
        l * (4 * c * c + 4 * c),  // [C, 3 C] and [C, C], with biases 3 C and C
        l * (8 * c * c + 5 * c),  // [C, 4 C] and [4 C, C], with biases 4 C and C
        l * 4 * c + 2 * c,        // gain and shift of two norms a block, and of the last
    };
  };
  // [count]
  const std::vector<std::string> names = {"tokens", "places", "attention", "networks", "norms"};
  const std::array<Index, 5> ours = parts(small), theirs = parts(gpt2);
  Index our_sum = 0, their_sum = 0;
  for (std::size_t i = 0; i < 5; ++i) our_sum += ours[i], their_sum += theirs[i];
  Series our_share{"ours", {}, {}}, their_share{"GPT-2", {}, {}};
  std::printf("              ours   share      GPT-2   share\n");
  for (std::size_t i = 0; i < 5; ++i) {
    our_share.y.push_back(100.0 * static_cast<double>(ours[i]) / static_cast<double>(our_sum));
    their_share.y.push_back(100.0 * static_cast<double>(theirs[i]) /
                            static_cast<double>(their_sum));
    std::printf("%-9s %8lld %6.1f%% %10lld %6.1f%%\n", names[i].c_str(),
                static_cast<long long>(ours[i]), our_share.y[i], static_cast<long long>(theirs[i]),
                their_share.y[i]);
  }
  std::printf("together  %8lld %18lld\n", static_cast<long long>(our_sum),
              static_cast<long long>(their_sum));
  Gpt library(small, 1);
  const bool same = our_sum == count(parameters(library)) && our_sum == parameter_count(small) &&
                    their_sum == parameter_count(gpt2);
  std::printf("by formula and by the library: %s\n", same ? "equal" : "NOT EQUAL");
  if (!same) std::exit(1);
  std::printf("million in GPT-2: %.0f; with an output layer of its own %.0f\n",
              static_cast<double>(their_sum) / 1e6,
              static_cast<double>(their_sum + theirs[0]) / 1e6);
  plot_bars("parts", {.title = "Where the parameters are", .x = "", .y = "percent of all"}, names,
            {our_share, their_share});
}

// Targets are the inputs, one step on.
void targets(const Book& book) {
  const Part part("targets");
  const Example e = draw(book.corpus->tokens(Split::kTrain), 1, 12, {.seed = 5});
  std::string seen;
  for (Index t = 0; t < 12; ++t) {
    seen += on_one_line(book.tokenizer.piece(e.inputs.data()[t]));
    std::printf("after \"%s\"%*s comes \"%s\"\n", seen.c_str(), static_cast<int>(12 - t), "",
                on_one_line(book.tokenizer.piece(e.targets.data()[t])).c_str());
  }
  Batch batch;
  random_batch(book.corpus->tokens(Split::kTrain), 16, 32, {3, 4}, batch);
  bool shifted = true;
  for (std::size_t i = 0; i + 1 < batch.inputs.size(); ++i) {
    if (i % 32 != 31) shifted = shifted && batch.targets[i] == batch.inputs[i + 1];
  }
  std::printf("the library's batches are shifted the same way: %s\n", shifted ? "yes" : "NO");
  if (!shifted) std::exit(1);
}

// The first test of any model: can it learn four lines by heart?
void overfit(const Book& book) {
  const Part part("overfit");
  Gpt library(small_config(book), 1);
  OurGpt model = copy_of(library);
  std::printf("ln V is %.3f\n", std::log(static_cast<double>(book.tokenizer.vocab_size())));
  // [overfit]
  const Example one = draw(book.corpus->tokens(Split::kTrain), 4, 32, {.seed = 6});
  AdamW optimiser(parameters(model), {.weight_decay = 0});
  for (int step = 0; step <= 120; ++step) {
    const Tensor loss = cross_entropy(model(one.inputs), one.targets);
    if (step % 30 == 0) std::printf("step %3d  loss %.3f\n", step, double{loss.item()});
    backward(loss);
    optimiser.step(Scalar(0.003));
    optimiser.zero_grad();
  }
  // [overfit]
  const std::span<const std::int32_t> row(one.inputs.data(), 32);
  const std::string line = book.tokenizer.decode(row);
  std::printf("it was shown   \"%s\"\n", on_one_line(line).c_str());
  std::printf(
      "it writes      \"%s\"\n",
      on_one_line(write(model, book.tokenizer, line.substr(0, 10), 22, {.seed = 1})).c_str());
}

/// Trains on the fables. `on_step` gets step and smoothed loss.
template <class OnStep>
void train(OurGpt& model, const Corpus& corpus, int steps, OnStep on_step) {
  // [train]
  AdamW optimiser(parameters(model), {});
  const Schedule rate{.rate = 4e-3, .floor = 4e-4, .warmup = steps / 20, .decay = steps};
  double smooth = 0;
  for (int step = 0; step < steps; ++step) {
    const Example e = draw(corpus.tokens(Split::kTrain), 16, model.longest(),
                           {.seed = 1, .step = static_cast<std::uint32_t>(step)});
    const Tensor loss = cross_entropy(model(e.inputs), e.targets);
    backward(loss);
    const Scalar clip = clip_scale(optimiser.gradient_norm(), 1);
    optimiser.step(static_cast<Scalar>(rate.at(step)), clip);
    optimiser.zero_grad();
    smooth = step == 0 ? loss.item() : 0.95 * smooth + 0.05 * loss.item();
    on_step(step, smooth);
  }
  // [train]
}

// Training, and what the text looks like on the way.
OurGpt learn(const Book& book, int steps, Series& curve) {
  const Part part("learn");
  Gpt library(small_config(book), 1);
  OurGpt model = copy_of(library);
  std::vector<double> levels = {4.2, 3.3, 2.5, 2.0, 1.8};
  std::printf("step  loss  what it writes after \"The fox \"\n");
  train(model, *book.corpus, steps, [&](int step, double loss) {
    if (step % 10 == 0) curve.x.push_back(step), curve.y.push_back(loss);
    if (!levels.empty() && loss <= levels.front()) {
      levels.erase(levels.begin());
      const std::string text = write(model, book.tokenizer, "The fox ", 56, {.seed = 3});
      std::printf("%4d  %4.2f  %s\n", step, loss, on_one_line(text.substr(8)).c_str());
    }
    if (step + 1 == steps) std::printf("%4d  %4.2f  (the end)\n", step, loss);
  });
  std::printf("on text that was kept back: %.3f\n", held_out_loss(model, *book.corpus));
  return model;
}

// What each character of context is worth.
void context(const Book& book, const OurGpt& model) {
  const Part part("context");
  const NoGrad no_grad;
  const Index spots = 200, v = book.tokenizer.vocab_size();
  const std::span<const std::int32_t> text = book.corpus->tokens(Split::kVal);
  Series curve{"mean loss of the same 200 guesses", {}, {}};
  for (Index seen = 1; seen <= model.longest(); ++seen) {
    // [context]
    IndexTensor before({spots, seen}), next({spots});
    for (Index i = 0; i < spots; ++i) {
      const Index first = model.longest();  // so that all have room
      const Index at = first + uniform_index({.seed = 8}, i, std::ssize(text) - first);
      std::copy_n(text.begin() + at - seen, seen, before.mutable_data() + i * seen);
      next.mutable_data()[i] = text[static_cast<std::size_t>(at)];
    }
    const Tensor last = slice(model(before), 1, seen - 1);  // [200, 1, V]
    const double loss = cross_entropy(reshape(last, {spots, v}), next).item();
    // [context]
    curve.x.push_back(static_cast<double>(seen)), curve.y.push_back(loss);
    if ((seen & (seen - 1)) == 0) {
      std::printf("%2d characters seen: loss %.2f\n", static_cast<int>(seen), loss);
    }
  }
  plot_lines("context",
             {.title = "What context is worth, on text kept back",
              .x = "characters that it sees",
              .y = "loss in nats"},
             {curve});
}

namespace {

// [depends]
// Row i, column j: the share of the input at place j in what the logits
// of place i depend on.
Tensor dependence(const OurGpt& model, const IndexTensor& text) {
  const Index time = text.size(1);
  Tensor strength({time, time});
  for (Index i = 0; i < time; ++i) {
    Tensor stream = model.embed(text).detach().clone().set_requires_grad();
    const Tensor logits = slice(model.read(stream), 1, i, i + 1);  // [1, 1, V]
    backward(sum(logits * logits));
    const Tensor g = stream.grad();                 // [1, T, C]
    const Tensor lengths = sqrt(sum(g * g, {-1}));  // [1, T]
    std::ranges::copy(lengths / sum(lengths), strength.mutable_data() + i * time);
  }
  return strength;
}
// [depends]

}  // namespace

// A model without a mask: a wonderful loss, and nothing behind it.
void leak(const Book& book, const OurGpt& good, int steps, const Series& good_curve) {
  const Part part("leak");
  Gpt library(small_config(book), 1);
  OurGpt model = copy_of(library, false);  // its attention looks ahead, too
  Series curve{"without a mask", {}, {}};
  train(model, *book.corpus, steps, [&](int step, double loss) {
    if (step % 10 == 0) curve.x.push_back(step), curve.y.push_back(loss);
    if (step + 1 == steps) std::printf("loss in training           %.3f\n", loss);
  });
  std::printf("on text that was kept back %.3f\n", held_out_loss(model, *book.corpus));
  std::printf("it writes: %s\n",
              on_one_line(write(model, book.tokenizer, "The fox ", 56, {.seed = 3})).c_str());
  const IndexTensor text({1, 7}, book.tokenizer.encode("The fox"));
  const Tensor sound = dependence(good, text), leaking = dependence(model, text);
  const auto later = [](const Tensor& shares) {
    double total = 0;
    for (Index i = 0; i < 7; ++i) {
      for (Index j = i + 1; j < 7; ++j) total += shares.at({i, j});
    }
    return total / 6;  // the last place has nothing after it
  };
  std::printf("what comes later has a share of %.2f with a mask, of %.2f without\n", later(sound),
              later(leaking));
  const std::vector<std::string> letters = {"T", "h", "e", "space", "f", "o", "x"};
  plot_heatmap("sound", "With the mask: a place (row) by what it read (column)", sound, letters,
               letters);
  plot_heatmap("leaking", "Without it: a place (row) by what it read (column)", leaking, letters,
               letters);
  plot_lines("curves", {.title = "The loss in training", .x = "step", .y = "nats", .log_y = true},
             {good_curve, curve});
}

// The end: it writes.
void the_end(const Book& book, const OurGpt& model) {
  const Part part("the_end");
  std::printf("%s\n",
              wrapped(write(model, book.tokenizer, "The Fox and the ", 400, {.seed = 4})).c_str());
}

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  const Book book;
  shapes(book);
  tied(book);
  parameter_table(book);
  targets(book);
  overfit(book);
  Series curve{"with the mask", {}, {}};
  const OurGpt model = learn(book, 800, curve);
  context(book, model);
  leak(book, model, 320, curve);
  the_end(book, model);
}
